import { type Document, type LineCounter, visit, type YAMLError } from "yaml";
import type { Statement } from "../../model/statement.ts";

/** Why a text is not the YAML we can use, and where. */
export interface YamlFault {
  offset: number;
  problem: Statement;
}

const EXCERPT = 120;
const TABS: Statement = {
  en: "a tab is used to indent; YAML allows spaces only",
  ja: "字下げにタブが使われています。YAML では空白だけが使えます",
};

/** What the library's short messages leave unsaid: what to do about it. */
const PLAINER: Partial<Record<YAMLError["code"], Statement>> = {
  TAB_AS_INDENT: TABS,
  DUPLICATE_KEY: { en: "this key stands here for the second time", ja: "同じキーが 2 回書かれています" },
  MULTIPLE_DOCS: {
    en: "a second document begins here; a file holds one",
    ja: "ここから 2 つ目の文書が始まっています。1 つのファイルには 1 つだけ書けます",
  },
  NON_STRING_KEY: {
    en: "this key is not a text; a text that begins with a brace or bracket needs quotes",
    ja: "このキーは文字列ではありません。かっこで始まる文字列は引用符で囲んでください",
  },
  BLOCK_AS_IMPLICIT_KEY: { en: 'a text that holds ": " needs quotes', ja: '": " を含む文は引用符で囲んでください' },
  BAD_SCALAR_START: {
    en: "a text that begins with this character needs quotes",
    ja: "この文字で始まる文は引用符で囲んでください",
  },
};

/** What the library's own message, which is quoted, is about. */
const ABOUT: Partial<Record<YAMLError["code"], string>> = {
  BAD_INDENT: "字下げが前後の行と合っていません",
  BAD_ALIAS: "別名（*名前）の使い方が違います",
  BAD_DQ_ESCAPE: "二重引用符の中のバックスラッシュの使い方が違います",
  MISSING_CHAR: "閉じかっこやコンマなどの文字が足りません",
  TAG_RESOLVE_FAILED: "このタグは使えません",
};

/** A warning is a tag that nothing here understands: it would be read and ignored, so it is a fault. */
export function syntaxFault(document: Document.Parsed, text: string): YamlFault | undefined {
  const [first] = [...document.errors, ...document.warnings];
  if (!first) return undefined;
  const [offset] = first.pos;
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  if (first.code === "BAD_INDENT" && /^ *\t/.test(line)) return { offset, problem: TABS };
  if (/^Missing closing .quote/.test(first.message)) return openQuote(document, offset);
  return { offset, problem: PLAINER[first.code] ?? foreign(first.message, ABOUT[first.code]) };
}

/** The library notices at the end of the text, which may be far from the quote. */
function openQuote(document: Document.Parsed, end: number): YamlFault {
  let offset = end;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith("QUOTE") && range && range[0] < end) offset = range[0];
    },
  });
  return {
    offset,
    problem: { en: "the quote that opens here is never closed", ja: "ここで開いた引用符が閉じられていません" },
  };
}

export function aliasFault(document: Document.Parsed): YamlFault | undefined {
  let fault: YamlFault | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return undefined;
      fault = { offset: alias.range?.[0] ?? 0, problem: noAnchor(alias.source) };
      return visit.BREAK;
    },
  });
  return fault;
}

function noAnchor(name: string): Statement {
  return { en: `*${name} has no anchor &${name} before it`, ja: `*${name} より前に &${name} がありません` };
}

/** Aliases of aliases of aliases grow without bounds; the library stops them. */
export function expansionFault(document: Document.Parsed, error: unknown): YamlFault {
  let offset = 0;
  visit(document, {
    Alias(_, alias) {
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return { offset, problem: foreign(error instanceof Error ? error.message : String(error)) };
}

/** The place in figures, and the line itself with its tabs made visible. */
export function excerpt(text: string, lines: LineCounter, offset: number): Statement {
  const { line, col } = lines.linePos(offset);
  const content = (text.split("\n")[line - 1] ?? "").replace(/^\uFEFF|\r$/g, "");
  const start = col > EXCERPT ? col - EXCERPT / 2 : 0;
  const shown = content
    .slice(start, start + EXCERPT)
    .replaceAll("\t", "→")
    .replaceAll(/\p{Cc}/gu, "�");
  const piece = `${start > 0 ? "…" : ""}${shown}${content.length > start + EXCERPT ? "…" : ""}`;
  return { en: `  line ${line}, column ${col}: ${piece}`, ja: `  ${line} 行 ${col} 桁: ${piece}` };
}

/** The library's own words. */
function foreign(message: string, about = "ここを YAML として読めません"): Statement {
  return { en: message.charAt(0).toLowerCase() + message.slice(1), ja: `${about}（yaml: ${message}）` };
}
