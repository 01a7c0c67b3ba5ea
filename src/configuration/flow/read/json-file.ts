import { isRecord } from "../../../model/json.ts";
import { message, type Statement } from "../../../model/message.ts";
import type { Report } from "../report.ts";
import { scanJson, type ValuePlace } from "./json-places.ts";

/** A JSON file that was read, and where in it things stand. */
export interface JsonFile {
  name: string;
  data: unknown;
  /** The line of what stands at a path, or of the nearest thing around it. */
  lineOf(path: readonly PropertyKey[]): number;
  duplicates: readonly { path: readonly string[]; line: number }[];
}

/** Why a text is not JSON, and in which line. */
export interface JsonFault {
  line: number;
  problem: Statement;
}

const MAX_DEPTH = 100;

/** JSON and nothing but: no comments, no trailing commas, no second document. */
export function readJson(name: string, text: string): JsonFile | JsonFault {
  const plain = text.replace(/^\uFEFF/, "");
  let data: unknown;
  try {
    data = JSON.parse(plain);
  } catch (error) {
    return fault(plain, error instanceof Error ? error.message : String(error));
  }
  const { root, duplicates, depth } = scanJson(plain);
  if (depth > MAX_DEPTH) return { line: 1, problem: message("nested_too_deep", { levels: MAX_DEPTH }) };
  const line = (offset: number) => lineAt(plain, offset);
  return {
    name,
    data,
    lineOf: (path) => line(offsetOf(root, path)),
    duplicates: duplicates.map(({ path, offset }) => ({ path, line: line(offset) })),
  };
}

export function isFault(read: JsonFile | JsonFault): read is JsonFault {
  return "problem" in read;
}

function offsetOf(root: ValuePlace, path: readonly PropertyKey[]): number {
  let place = root;
  for (const step of path) {
    const next = place.children.get(String(step));
    if (!next) break;
    place = next;
  }
  return place.offset;
}

/** The engine's message names a position or quotes the place, in words that differ between versions. */
function fault(text: string, words: string): JsonFault {
  const offset = faultOffset(text, words);
  const said = words.replace(/ in JSON at position.*$|, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, "");
  return { line: lineAt(text, offset), problem: message("json_fault", { message: said, slip: slipAt(text, offset) }) };
}

/** V8 quotes up to this many letters on each side of the place. */
const QUOTED = 10;

function faultOffset(text: string, words: string): number {
  const position = /position (\d+)/.exec(words)?.[1];
  if (position !== undefined) return Number(position);
  const [, before, quoted = "", after] = /, (\.{3})?"(.*)"(\.{3})? is not valid JSON$/s.exec(words) ?? [];
  if (before) return text.indexOf(quoted) + QUOTED;
  return after ? quoted.length - QUOTED : text.length;
}

/** The mistake that people often make at such a place. */
function slipAt(text: string, offset: number): "comment" | "quotes" | "comma" | undefined {
  const here = text[offset] ?? "";
  if (here === "/" || here === "#") return "comment";
  if (here === "'") return "quotes";
  const before = text.slice(0, offset).trimEnd();
  return (here === "}" || here === "]") && before.endsWith(",") ? "comma" : undefined;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** A JSON file of the agent that holds a group of keys; undefined, and reported, when it cannot be used. */
export function openJson(files: ReadonlyMap<string, string>, name: string, report: Report): JsonFile | undefined {
  const text = files.get(name);
  if (text === undefined) {
    report.add("AGENT_FILE_MISSING", { file: name }, { file: name });
    return undefined;
  }
  return parsedJson(name, text, report);
}

export function parsedJson(name: string, text: string, report: Report): JsonFile | undefined {
  const read = readJson(name, text);
  if (isFault(read)) {
    report.add("AGENT_JSON_BROKEN", { file: name, line: read.line }, { problem: read.problem });
    return undefined;
  }
  report.knows(name, read.lineOf);
  for (const { path, line } of read.duplicates) {
    report.add("AGENT_JSON_DUPLICATE_KEY", { file: name, path, line }, { key: String(path.at(-1)) });
  }
  if (isRecord(read.data)) return read;
  const problem = message("file_not_group", {});
  report.add("AGENT_VALUE_INVALID", { file: name, line: 1 }, { problem, allowed: "{ … }" });
  return undefined;
}
