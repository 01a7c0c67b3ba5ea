import { pieceEnd } from "../../model/shell-words.ts";

/** Stands in a word for a part that only the running shell knows. */
export const UNKNOWN = "\u0000";
/** Where an unquoted expansion splits its word. */
const BREAK = "\u0001";

/** Gives values to an expansion: of variables, and of scripts (`run`), which print something that is known or UNKNOWN. */
export interface Expansion {
  variable(name: string): string | undefined;
  run(script: string): string;
}

/** The fields that a written word becomes: without quotes, with braces, known variables and known substitutions filled in. */
export function expandWord(raw: string, expansion: Expansion): string[] {
  return braces(raw).flatMap((word) => {
    const text = expandPieces(word, expansion);
    const fields = text.split(BREAK);
    return fields.length > 1 || text === "" ? fields.filter((field) => field !== "" || /['"]/.test(word)) : fields;
  });
}

const NAME = /\$(\w+|[@*#?$!-])/y;

function expandPieces(word: string, expansion: Expansion): string {
  let text = "";
  for (let at = 0; at < word.length; ) {
    const name = nameAt(word, at);
    const end = name ? at + name.length : pieceEnd(word, at);
    const piece = word.slice(at, end);
    if (piece !== "$" || !/['"]/.test(word[end] ?? "")) text += expandPiece(piece, expansion);
    at = end;
  }
  return text;
}

function expandPiece(piece: string, expansion: Expansion): string {
  if (piece.startsWith("'")) return piece.replace(/^'|'$/g, "");
  if (piece.startsWith("$'")) return unescaped(piece.slice(2).replace(/'$/, ""));
  if (piece.startsWith('"')) return expandQuoted(piece.slice(1).replace(/"$/, ""), expansion);
  if (piece.startsWith("\\")) return piece.slice(1).replace("\n", "");
  if (piece.startsWith("((")) return discard(expansion.run(piece.slice(1, -1)));
  if (/^[<>]\(/.test(piece)) return expansion.run(piece.slice(2, -1));
  return isExpansion(piece) ? substituted(piece, expansion).replace(/\s+/g, BREAK) : piece;
}

/** A text between double quotes, or in a here-document: only expansions count there. */
export function expandQuoted(text: string, expansion: Expansion): string {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const end = quotedPieceEnd(text, at);
    const piece = text.slice(at, end);
    if (isExpansion(piece)) result += substituted(piece, expansion);
    else if (piece.startsWith("\\")) result += /^\\[$`"\\\n]$/.test(piece) ? piece.slice(1).replace("\n", "") : piece;
    else result += piece;
    at = end;
  }
  return result;
}

/** Where the piece that begins here ends, between double quotes. */
export function quotedPieceEnd(text: string, at: number): number {
  const name = nameAt(text, at);
  if (name) return at + name.length;
  const opens = text.startsWith("$(", at) || text.startsWith("${", at) || text[at] === "`" || text[at] === "\\";
  return opens ? pieceEnd(text, at) : at + 1;
}

function isExpansion(piece: string): boolean {
  return /^(?:`|\$[\w({@*#?$!-])/.test(piece);
}

function substituted(piece: string, expansion: Expansion): string {
  if (piece.startsWith("`")) return expansion.run(piece.replace(/^`|`$/g, "").replace(/\\([`\\$])/g, "$1"));
  if (piece.startsWith("$((")) return UNKNOWN + discard(expandQuoted(piece.slice(3, -2), expansion));
  if (piece.startsWith("$(")) return expansion.run(piece.slice(2, -1));
  if (piece.startsWith("${")) return parameter(piece.slice(2, -1), expansion);
  return expansion.variable(piece.slice(1)) ?? UNKNOWN;
}

/** `${x}` and `${x:-default}`; other forms are UNKNOWN. */
function parameter(content: string, expansion: Expansion): string {
  const [, name = "", operator, rest = ""] = /^(\w+)(?:(:?[-=])([\s\S]*))?$/.exec(content) ?? [];
  if (name === "") return UNKNOWN + discard(expandQuoted(content, expansion));
  const value = expansion.variable(name);
  return value ?? (operator ? expandPieces(rest, expansion).replaceAll(BREAK, " ") : UNKNOWN);
}

/** Called for the scripts that the text holds; the text itself does not matter. */
function discard(_: string): string {
  return "";
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", e: "\u001b" };

/** The text between `$'` and `'`. */
function unescaped(text: string): string {
  return text.replace(
    /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8})|\\([0-7]{1,3})|\\([\s\S])/g,
    (_, hex?: string, octal?: string, sign = "") => {
      const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(hex?.slice(1) ?? "", 16);
      return Number.isNaN(code) || code > 0x10ffff ? (ESCAPES[sign] ?? sign) : String.fromCodePoint(code);
    },
  );
}

const MOST_WORDS = 64;

/** `{gh,issue}` makes two words. Braces after quotes or a `$` are left alone. */
function braces(word: string): string[] {
  let words = [word];
  for (;;) {
    const expanded = words.flatMap(firstBraces);
    if (expanded.length === words.length || expanded.length > MOST_WORDS) return words;
    words = expanded;
  }
}

function firstBraces(word: string): string[] {
  const [, before = "", list, after = ""] = /^([^'"`$\\{]*)\{([^{},]*,[^{}]*)\}([\s\S]*)$/.exec(word) ?? [];
  return list === undefined ? [word] : list.split(",").map((item) => before + item + after);
}

function nameAt(text: string, at: number): string | undefined {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0];
}
