import { lstatSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { textsOf } from "./object-texts.ts";
import type { Repository } from "./repository.ts";

const TEXT =
  /\.([cm]?[jt]sx?|json[5c]?|py|rb|rs|go|java|kt|scala|cs|c|h|cc|cpp|hpp|swift|m|php|pl|lua|sh|bash|sql|html?|css|md|txt|ya?ml|toml|xml|vue|svelte|exs?|erl|hs|clj|r|jl|dart)$/i;

/** Whether a file is a text by its name: a zero byte in a comment does not make a program binary. */
export function isText(path: string): boolean {
  return TEXT.test(path);
}

/** For each word, the text files of a snapshot that have it. */
export async function mentionsIn(
  { git }: Repository,
  commit: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map(words.map((word) => [word, [] as string[]]));
  if (words.length === 0) return found;
  const patterns = words.flatMap((word) => ["-e", word]);
  const { output } = await git(["grep", "-I", "-o", "-z", "-F", "--full-name", ...patterns, commit, "--"]);
  // `<commit>:<path>\0<word>` in each line; of words that contain each other, git prints the longest
  for (const line of output.split("\n")) {
    const [, path = "", text = ""] = /^[^:]+:(.*)\0(.*)$/.exec(line) ?? [];
    for (const [word, paths] of found) if (text.includes(word) && paths.at(-1) !== path) paths.push(path);
  }
  return found;
}

const LINK = "120000";

/** Links among the changes, as `diff-tree --raw -z` prints them, that lead to what was written outside since the first snapshot was made. */
export async function linksOut(
  repository: Repository,
  { from, to, changes }: { from: string; to: string; changes: string },
): Promise<string[]> {
  const { git, top } = repository;
  const fields = changes.split("\0");
  const links = fields.flatMap((field, index) => (field.split(" ")[1] === LINK ? [fields[index + 1] ?? ""] : []));
  if (links.length === 0) return [];
  const since = Number((await git(["show", "-s", "--format=%ct", from])).output) * 1000;
  const nameOf = (path: string) => `${to}:${path}`;
  const targets = await textsOf(repository, links.filter(isOneLine).map(nameOf));
  const isOut = (path: string) =>
    isWrittenOutside(resolve(top, dirname(path), targets.get(nameOf(path)) ?? ""), top, since);
  return links.filter(isOut);
}

/** Git is asked line by line. */
function isOneLine(path: string): boolean {
  return !path.includes("\n");
}

/** By the time of the last change, which no program can set. */
function isWrittenOutside(target: string, top: string, since: number): boolean {
  const [found, place] = [realPath(target), realPath(top) ?? top];
  if (found === undefined || found === place || found.startsWith(`${place}/`)) return false;
  return (lstatSync(found, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= since;
}

/** Undefined where it leads nowhere. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
