import { pieceEnd } from "../../model/shell-words.ts";

/** Where `${name}` stands: between which quotes, or in a place where a value would be read as code (`odd`). */
export interface Occurrence {
  name: string;
  start: number;
  end: number;
  context: "bare" | "single" | "double" | "ansi" | "odd";
}

type Frame = "single" | "double" | "ansi" | "group" | "backtick" | "odd";

interface Scan {
  command: string;
  at: number;
  frames: Frame[];
  /** A here-document follows somewhere: from here on nothing is certain. */
  isDocument: boolean;
}

const NAMED = /\$\{([A-Za-z_][\w.-]*)\}/y;

/** Every `${name}` in a command that `isWanted`, in order. One behind a backslash, or in a comment, is none. */
export function occurrences(command: string, isWanted: (name: string) => boolean): Occurrence[] {
  const scan: Scan = { command, at: 0, frames: [], isDocument: false };
  const found: Occurrence[] = [];
  while (scan.at < command.length) {
    NAMED.lastIndex = scan.at;
    const [whole = "", name = ""] = NAMED.exec(command) ?? [];
    if (whole !== "" && isWanted(name)) {
      found.push({ name, start: scan.at, end: scan.at + whole.length, context: contextOf(scan) });
      scan.at += whole.length;
    } else advance(scan);
  }
  return found;
}

function contextOf({ frames, isDocument }: Scan): Occurrence["context"] {
  const frame = frames.at(-1);
  const ticksInQuotes = frames.includes("backtick") && frames.includes("double");
  if (isDocument || ticksInQuotes || frames.includes("odd")) return "odd";
  return frame === "single" || frame === "double" || frame === "ansi" ? frame : "bare";
}

/** Goes one sign, or one bracket, further. */
function advance(scan: Scan): void {
  const frame = scan.frames.at(-1);
  if (frame === "single") leaveAt(scan, "'");
  else if (next(scan, "\\")) scan.at += 2;
  else if (frame === "ansi") leaveAt(scan, "'");
  else if (frame === "double" && next(scan, '"')) leave(scan, 1);
  else if (frame === "double") enterExpansion(scan);
  else if (frame === "odd") advanceOdd(scan);
  else advanceBare(scan);
}

function leaveAt(scan: Scan, closing: string): void {
  if (next(scan, closing)) leave(scan, 1);
  else scan.at++;
}

function advanceOdd(scan: Scan): void {
  if (next(scan, "}") || next(scan, ")")) leave(scan, 1);
  else if (next(scan, "(") || next(scan, "{")) enter(scan, "odd", 1);
  else scan.at = Math.max(scan.at + 1, /['"]/.test(scan.command[scan.at] ?? "") ? pieceEnd(scan.command, scan.at) : 0);
}

function advanceBare(scan: Scan): void {
  const { command, at } = scan;
  if (next(scan, "$'")) enter(scan, "ansi", 2);
  else if (next(scan, "'")) enter(scan, "single", 1);
  else if (next(scan, '"')) enter(scan, "double", 1);
  else if (next(scan, "((")) enter(scan, "odd", 1);
  else if (next(scan, "(")) enter(scan, "group", 1);
  else if (next(scan, ")") && scan.frames.at(-1) === "group") leave(scan, 1);
  else if (next(scan, "<<<")) scan.at += 3;
  else if (next(scan, "<<")) beginDocument(scan);
  else if (next(scan, "#") && /^$|[\s;&|()]/.test(command[at - 1] ?? "")) skipLine(scan);
  else enterExpansion(scan);
}

/** What begins inside double quotes as well as outside. */
function enterExpansion(scan: Scan): void {
  if (next(scan, "$((")) enter(scan, "odd", 2);
  else if (next(scan, "$(")) enter(scan, "group", 2);
  else if (next(scan, "${")) enter(scan, "odd", 2);
  else if (next(scan, "`")) toggleBackticks(scan);
  else scan.at++;
}

function toggleBackticks(scan: Scan): void {
  const open = scan.frames.lastIndexOf("backtick");
  if (open < 0) scan.frames.push("backtick");
  else scan.frames.length = open;
  scan.at++;
}

function beginDocument(scan: Scan): void {
  scan.isDocument = true;
  scan.at += 2;
}

function skipLine(scan: Scan): void {
  const end = scan.command.indexOf("\n", scan.at);
  scan.at = end < 0 ? scan.command.length : end;
}

function next({ command, at }: Scan, text: string): boolean {
  return command.startsWith(text, at);
}

function enter(scan: Scan, frame: Frame, length: number): void {
  scan.frames.push(frame);
  scan.at += length;
}

function leave(scan: Scan, length: number): void {
  scan.frames.pop();
  scan.at += length;
}
