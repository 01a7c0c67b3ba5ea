import { isRecord } from "../../../model/json.ts";
import { message, type Statement } from "../../../model/message.ts";
import type { Report } from "../report.ts";

/** A JSON file, with the lines of its values. */
export interface JsonFile {
  name: string;
  data: unknown;
  /** The line of the value at a path, or else of the nearest value around it. */
  lineOf(path: readonly PropertyKey[]): number;
  duplicates: readonly { path: readonly string[]; line: number }[];
}

/** Why a text is not JSON, and in which line. */
export interface JsonFault {
  line: number;
  problem: Statement;
}

const MAX_DEPTH = 100;

/** Strict JSON: no comments, no trailing commas, no second document. */
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

/** A JSON file of the flow that holds a group of keys. Reports a file that cannot be used, and returns undefined. */
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

/** Where a value and its members begin. A member of an object begins with its key. */
interface ValuePlace {
  offset: number;
  children: Map<string, ValuePlace>;
}

interface JsonPlaces {
  root: ValuePlace;
  duplicates: { path: string[]; offset: number }[];
  depth: number;
}

/** An object or list that is still open. */
interface Open {
  place: ValuePlace;
  path: string[];
  /** The next entry's index in a list; undefined in an object. */
  index: number | undefined;
  /** In an object: the key whose value comes next. */
  key: { name: string; offset: number } | undefined;
}

/** Everything but spaces, commas and colons. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s{}[\],:"]+/g;

/** Finds the places in a text that is known to be valid JSON. Without recursion: depth cannot overflow it. */
function scanJson(text: string): JsonPlaces {
  const places: JsonPlaces = { root: { offset: 0, children: new Map() }, duplicates: [], depth: 0 };
  const open: Open[] = [];
  for (const { 0: token, index: offset } of text.matchAll(TOKENS)) {
    const top = open.at(-1);
    if (token === "}" || token === "]") open.pop();
    else if (top && top.index === undefined && !top.key) top.key = { name: JSON.parse(token), offset };
    else enter(places, open, token, offset);
  }
  return places;
}

function enter(places: JsonPlaces, open: Open[], token: string, offset: number): void {
  const { place, path } = placed(places, open.at(-1), offset);
  if (token !== "{" && token !== "[") return;
  open.push({ place, path, index: token === "[" ? 0 : undefined, key: undefined });
  places.depth = Math.max(places.depth, open.length);
}

/** Adds a value to its parent. A second value of the same key is a duplicate and replaces the first, as in JSON.parse. */
function placed(places: JsonPlaces, parent: Open | undefined, offset: number): { place: ValuePlace; path: string[] } {
  if (!parent) {
    places.root.offset = offset;
    return { place: places.root, path: [] };
  }
  const name = parent.key?.name ?? String(parent.index);
  const place = { offset: parent.key?.offset ?? offset, children: new Map<string, ValuePlace>() };
  const path = [...parent.path, name];
  if (parent.key && parent.place.children.has(name)) places.duplicates.push({ path, offset: place.offset });
  parent.place.children.set(name, place);
  parent.key = undefined;
  if (parent.index !== undefined) parent.index += 1;
  return { place, path };
}
