import { type Document, type LineCounter, visit, type YAMLError } from "yaml";

/** Why a text is not the YAML we can use, and where. */
export interface YamlFault {
  offset: number;
  problem: string;
}

const EXCERPT = 120;
const TABS = "a tab is used to indent; YAML allows spaces only";

/** What the library's short messages leave unsaid: what to do about it. */
const PLAINER: Partial<Record<YAMLError["code"], string>> = {
  TAB_AS_INDENT: TABS,
  DUPLICATE_KEY: "this key stands here for the second time",
  MULTIPLE_DOCS: "a second document begins here; a file holds one",
  NON_STRING_KEY: "this key is not a text; a text that begins with a brace or bracket needs quotes",
  BLOCK_AS_IMPLICIT_KEY: 'a text that holds ": " needs quotes',
  BAD_SCALAR_START: "a text that begins with this character needs quotes",
};

/** A warning is a tag that nothing here understands: it would be read and ignored, so it is a fault. */
export function syntaxFault(document: Document.Parsed, text: string): YamlFault | undefined {
  const [first] = [...document.errors, ...document.warnings];
  if (!first) return undefined;
  const [offset] = first.pos;
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  if (first.code === "BAD_INDENT" && /^ *\t/.test(line)) return { offset, problem: TABS };
  if (/^Missing closing .quote/.test(first.message)) return openQuote(document, offset);
  return { offset, problem: PLAINER[first.code] ?? lowerFirst(first.message) };
}

/** The library notices at the end of the text, which may be far from the quote. */
function openQuote(document: Document.Parsed, end: number): YamlFault {
  let offset = end;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith("QUOTE") && range && range[0] < end) offset = range[0];
    },
  });
  return { offset, problem: "the quote that opens here is never closed" };
}

export function aliasFault(document: Document.Parsed): YamlFault | undefined {
  let fault: YamlFault | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return undefined;
      fault = { offset: alias.range?.[0] ?? 0, problem: `*${alias.source} has no anchor &${alias.source} before it` };
      return visit.BREAK;
    },
  });
  return fault;
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
  return { offset, problem: lowerFirst(error instanceof Error ? error.message : String(error)) };
}

/** The place in figures, and the line itself with its tabs made visible. */
export function excerpt(text: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  const content = (text.split("\n")[line - 1] ?? "").replace(/^\uFEFF|\r$/g, "");
  const start = col > EXCERPT ? col - EXCERPT / 2 : 0;
  const shown = content
    .slice(start, start + EXCERPT)
    .replaceAll("\t", "→")
    .replaceAll(/\p{Cc}/gu, "�");
  return `  line ${line}, column ${col}: ${start > 0 ? "…" : ""}${shown}${content.length > start + EXCERPT ? "…" : ""}`;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
