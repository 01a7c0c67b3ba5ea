/**
 * The texts and switches of a TOML file by their full names, such as `model_providers.mine.env_key`. Knows what settings are written in:
 * tables, quoted and dotted names, and tables on one line. What it does not know it leaves out.
 */
export function tomlValues(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let table: string[] = [];
  for (const line of text.split("\n")) {
    const header = HEADER.exec(line)?.[1];
    if (header !== undefined) table = namesIn(header);
    else readPair(line, table, values);
  }
  return values;
}

const NAME = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')`;
const DOTTED = String.raw`${NAME}(?:\s*\.\s*${NAME})*`;
const VALUE = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'|true\b|false\b`;
const HEADER = new RegExp(String.raw`^\s*\[\[?\s*(${DOTTED})\s*\]`);
const PAIR = new RegExp(String.raw`^\s*(${DOTTED})\s*=\s*(?:(${VALUE})|(\{.*))`);
const INNER_PAIRS = new RegExp(String.raw`(${DOTTED})\s*=\s*(${VALUE})`, "g");

function readPair(line: string, table: readonly string[], values: Map<string, string>): void {
  const [, name = "", value, inline] = PAIR.exec(line) ?? [];
  const path = [...table, ...namesIn(name)];
  if (value !== undefined) values.set(path.join("."), plain(value));
  for (const [, inner = "", one = ""] of (inline ?? "").matchAll(INNER_PAIRS))
    values.set([...path, ...namesIn(inner)].join("."), plain(one));
}

function namesIn(dotted: string): string[] {
  return [...dotted.matchAll(new RegExp(NAME, "g"))].map(([name]) => plain(name));
}

function plain(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
