import type { Repository } from "./repository.ts";

/** Texts by what git calls their objects. Such a name is made of what it stands for, so what one task has read serves all others. */
const known = new Map<string, string>();
let held = 0;
/** In characters. */
const MOST_HELD = 4 * 1024 * 1024;
const LONGEST_HELD = 64 * 1024;
const LONGEST_TEXT = 1024 * 1024;

/** The contents of objects as texts, by the names that git is asked for them. Very long ones are left out. */
export async function textsOf({ git }: Repository, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map(names.flatMap((name) => entry(name, known.get(name))));
  const missing = [...new Set(names)].filter((name) => !found.has(name));
  if (missing.length === 0) return found;
  const stdin = Buffer.from(`${missing.join("\n")}\n`).toString("latin1");
  const { output } = await git(["cat-file", "--batch"], { stdin, encoding: "latin1" });
  for (const { name, object, text } of contentsIn(output, missing)) {
    found.set(name, text);
    hold(object, text);
  }
  return found;
}

function entry(name: string, text: string | undefined): [string, string][] {
  return text === undefined ? [] : [[name, text]];
}

function hold(object: string, text: string): void {
  if (text.length > LONGEST_HELD || known.has(object)) return;
  if (held + text.length > MOST_HELD) {
    known.clear();
    held = 0;
  }
  known.set(object, text);
  held += text.length;
}

/** Reads `<object> blob <bytes>\n<content>\n` for each name, or `… missing\n`. */
function contentsIn(output: string, names: readonly string[]): { name: string; object: string; text: string }[] {
  const found: ReturnType<typeof contentsIn> = [];
  let at = 0;
  for (const name of names) {
    const end = output.indexOf("\n", at);
    const [, object = "", type, size] = /^(\S+) (\w+) (\d+)$/.exec(output.slice(at, end)) ?? [];
    at = end + 1;
    if (size === undefined) continue;
    const content = output.slice(at, at + Number(size));
    at += Number(size) + 1;
    if (type === "blob" && content.length <= LONGEST_TEXT)
      found.push({ name, object, text: Buffer.from(content, "latin1").toString() });
  }
  return found;
}
