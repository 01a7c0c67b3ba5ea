import { shellPieces } from "../../model/shell-words.ts";
import { quotedPieceEnd } from "./expand-word.ts";

/** A place of `${name}`: between which quotes it stands, or whether its value would be read as code there (`odd`). */
export interface Occurrence {
  name: string;
  start: number;
  end: number;
  context: "bare" | "single" | "double" | "ansi" | "odd";
}

type Context = Occurrence["context"];

interface Scan {
  isWanted(name: string): boolean;
  found: Occurrence[];
  /** From here on the places are uncertain: a here-document may follow. */
  uncertainFrom: number;
}

/** Part of the command, and where in the command it begins. */
interface Part {
  text: string;
  offset: number;
}

const NAMED = /\$\{([A-Za-z_][\w.-]*)\}/;
const ESCAPE_OR_NAMED = new RegExp(`\\\\[\\s\\S]|${NAMED.source}`, "g");

/** Every `${name}` in a command that `isWanted`, in order. Escaped ones and those in comments do not count. */
export function occurrences(command: string, isWanted: (name: string) => boolean): Occurrence[] {
  const scan: Scan = { isWanted, found: [], uncertainFrom: hasHiddenBrackets(command) ? 0 : Number.POSITIVE_INFINITY };
  inScript(scan, { text: command, offset: 0 });
  const certain = scan.found.filter(({ start }) => start < scan.uncertainFrom);
  scan.found = [];
  anywhere(scan, { text: command.slice(scan.uncertainFrom), offset: scan.uncertainFrom }, "odd");
  return [...certain, ...scan.found];
}

/** The bracket of a `case` closes nothing, so the end of a substitution around it is unknown. */
function hasHiddenBrackets(command: string): boolean {
  return /\$\([\s\S]*\bcase\b/.test(command);
}

function inScript(scan: Scan, { text, offset }: Part): void {
  for (const { start, end, isWord, token } of shellPieces(text)) {
    if (token?.type === "redirection" && /<<-?$/.test(token.text)) beUncertain(scan, offset + start);
    if (isWord) inPiece(scan, { text: text.slice(start, end), offset: offset + start });
  }
}

function inPiece(scan: Scan, part: Part): void {
  const { text } = part;
  if (take(scan, part, "bare") || text.startsWith("\\")) return;
  if (text.startsWith("'")) anywhere(scan, part, "single");
  else if (text.startsWith("$'")) anywhere(scan, part, "ansi");
  else if (text.startsWith('"')) inQuotes(scan, inside(part, 1, text.length > 1 && text.endsWith('"') ? 1 : 0));
  else if (text.startsWith("`") && !text.includes("\\")) inScript(scan, inside(part, 1, 1));
  else inExpansion(scan, part);
}

/** Between double quotes: text and expansions. Backticks have rules of their own there. */
function inQuotes(scan: Scan, part: Part): void {
  for (let at = 0; at < part.text.length; ) {
    const end = quotedPieceEnd(part.text, at);
    const piece = { text: part.text.slice(at, end), offset: part.offset + at };
    if (!take(scan, piece, "double") && !piece.text.startsWith("\\")) inExpansion(scan, piece);
    at = end;
  }
}

function inExpansion(scan: Scan, part: Part): void {
  if (/^[$<>]\((?!\()/.test(part.text)) inScript(scan, inside(part, 2, 1));
  else {
    const document = part.text.search(/<<[^\n]*\n/); // a subshell may look like arithmetic
    if (document >= 0) beUncertain(scan, part.offset + document);
    anywhere(scan, part, "odd");
  }
}

/** Every wanted name in a text without structure. Between single quotes a backslash is a plain character. */
function anywhere(scan: Scan, { text, offset }: Part, context: Context): void {
  const pattern = context === "single" ? new RegExp(NAMED, "g") : ESCAPE_OR_NAMED;
  for (const { 0: whole, index } of text.matchAll(pattern)) {
    take(scan, { text: whole, offset: offset + index }, context);
  }
}

function take(scan: Scan, { text, offset: start }: Part, context: Context): boolean {
  const [whole, name = ""] = NAMED.exec(text) ?? [];
  if (whole !== text || !scan.isWanted(name)) return false;
  scan.found.push({ name, start, end: start + text.length, context });
  return true;
}

function beUncertain(scan: Scan, from: number): void {
  scan.uncertainFrom = Math.min(scan.uncertainFrom, from);
}

/** A part without its first and last characters. */
function inside({ text, offset }: Part, first: number, last: number): Part {
  return { text: text.slice(first, text.length - last), offset: offset + first };
}
