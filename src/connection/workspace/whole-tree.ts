import { existsSync } from "node:fs";
import { join } from "node:path";
import { entriesOf, flattened, isLink, type WholeEntry } from "../git/submodules.ts";
import { askGit } from "../processes/git.ts";
import type { Repository } from "./repository.ts";

/**
 * The tree of a commit with the files of its submodules in their place, as snapshots have them: else each of these files would seem to be
 * new. Undefined where the commit's own tree is that, or where something is missing.
 */
export async function wholeTree({ git, top }: Repository, index: string, commit: string): Promise<string | undefined> {
  if (!existsSync(join(top, ".gitmodules"))) return undefined;
  const links = new Map([...(await entriesOf(git, commit))].filter(([, entry]) => isLink(entry)));
  const files = [...(await flattened(top, links))].filter(([, { entry }]) => !isLink(entry));
  if (files.length === 0) return undefined;
  await bring(
    { git, top },
    files.map(([, one]) => one),
  );
  const gone = [...links.keys()].filter((link) => files.some(([path]) => path.startsWith(`${link}/`)));
  const changes = [
    ...gone.map((path) => `0 ${"0".repeat(commit.length)}\t${path}\0`),
    ...files.map(([path, { entry }]) => `${entry}\t${path}\0`),
  ];
  for (const [args, stdin] of [
    [["read-tree", commit], undefined],
    [["update-index", "-z", "--index-info"], changes.join("")],
  ] as const)
    if ((await git(args, { index, ...(stdin !== undefined && { stdin }) })).exit_code !== 0) return undefined;
  const { exit_code, output } = await git(["write-tree"], { index });
  return exit_code === 0 ? output.trim() : undefined;
}

/** Objects that only a submodule's git has: the base may have files that the work does not. */
async function bring({ git, top }: Pick<Repository, "git" | "top">, files: readonly WholeEntry[]): Promise<void> {
  const places = new Map(files.map(({ entry, place }) => [entry.split(" ")[1] ?? "", place]));
  const { output } = await git(["cat-file", "--batch-check"], {
    stdin: [...places.keys()].map((id) => `${id}\n`).join(""),
  });
  for (const line of output.split("\n").filter((one) => one.endsWith(" missing"))) {
    const [id = ""] = line.split(" ");
    const directory = places.get(id) ?? top;
    const found = await askGit(["cat-file", "blob", id], { directory, encoding: "latin1" });
    if (found.exit_code === 0) await git(["hash-object", "-w", "--stdin"], { stdin: found.output, encoding: "latin1" });
  }
}
