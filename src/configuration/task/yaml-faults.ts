import { type Document, type LineCounter, visit } from "yaml";
import { message, type Statement } from "../../model/message.ts";

/** Why a text is not the YAML we can use, and where. */
export interface YamlFault {
  offset: number;
  problem: Statement;
}

const EXCERPT = 120;
/** A warning is a tag that nothing here understands: it would be read and ignored, so it is a fault. */
export function syntaxFault(document: Document.Parsed, text: string): YamlFault | undefined {
  const [first] = [...document.errors, ...document.warnings];
  if (!first) return undefined;
  const [offset] = first.pos;
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  if (first.code === "BAD_INDENT" && /^ *\t/.test(line))
    return { offset, problem: message("yaml_fault", { fault: "TAB_AS_INDENT", message: first.message }) };
  if (/^Missing closing .quote/.test(first.message)) return openQuote(document, offset);
  return { offset, problem: message("yaml_fault", { fault: first.code, message: first.message }) };
}

/** The library notices at the end of the text, which may be far from the quote. */
function openQuote(document: Document.Parsed, end: number): YamlFault {
  let offset = end;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith("QUOTE") && range && range[0] < end) offset = range[0];
    },
  });
  return { offset, problem: message("yaml_quote_open", {}) };
}

export function aliasFault(document: Document.Parsed): YamlFault | undefined {
  let fault: YamlFault | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return undefined;
      fault = { offset: alias.range?.[0] ?? 0, problem: message("yaml_anchor_missing", { name: alias.source }) };
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
  return { offset, problem: message("yaml_fault", { fault: "", message: (error as Error).message }) };
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
  return message("yaml_place", { line, column: col, text: piece });
}
