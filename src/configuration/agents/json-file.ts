import { type Place, scanJson } from "./json-places.ts";

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
  problem: string;
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
  if (depth > MAX_DEPTH) return { line: 1, problem: `nested more than ${MAX_DEPTH} levels deep` };
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

function offsetOf(root: Place, path: readonly PropertyKey[]): number {
  let place = root;
  for (const step of path) {
    const next = place.children.get(String(step));
    if (!next) break;
    place = next;
  }
  return place.offset;
}

/** The engine's message names a position, in words that differ between versions. */
function fault(text: string, message: string): JsonFault {
  const position = /position (\d+)/.exec(message)?.[1];
  const offset = position === undefined ? text.length : Number(position);
  const said = message.replace(/ in JSON at position.*$|, ".*" is not valid JSON$/s, "");
  return { line: lineAt(text, offset), problem: `${said}${commonSlip(text, offset)}` };
}

function commonSlip(text: string, offset: number): string {
  const here = text[offset] ?? "";
  if (here === "/" || here === "#") return "; JSON has no comments";
  if (here === "'") return "; JSON has double quotes only";
  const before = text.slice(0, offset).trimEnd();
  return (here === "}" || here === "]") && before.endsWith(",") ? "; the comma before it is one too many" : "";
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
