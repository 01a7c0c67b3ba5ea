import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "../git/checkout.ts";
import type { PlaceState } from "../ports/machine-place.ts";
import { unusable } from "./mirror.ts";

/**
 * Makes a checkout's files those of a snapshot, on the commit that the worker had made last: what it had not committed is not committed
 * here either. Whatever else is there goes, but for what git ignores.
 */
export async function layOut(git: Git, { base_commit, snapshot }: PlaceState): Promise<void> {
  const head = snapshot === undefined ? base_commit : await parentOf(git, snapshot, base_commit);
  await must(git, "checkout", "--quiet", "--force", "--detach", snapshot ?? base_commit);
  await must(git, "clean", "--quiet", "--force", "-d", "--exclude=/.e8/");
  if (head !== (snapshot ?? base_commit)) await must(git, "reset", "--quiet", "--mixed", head);
}

async function parentOf(git: Git, snapshot: string, otherwise: string): Promise<string> {
  const { exit_code, output } = await git(["rev-parse", "--verify", "--quiet", `${snapshot}^1`]);
  return exit_code === 0 ? output.trim() : otherwise;
}

async function must(git: Git, ...words: string[]): Promise<void> {
  const answer = await git(words);
  if (answer.exit_code !== 0) throw unusable(git.directory, words[0] ?? "", answer);
}

/** Those that the base names: a worker's own would have this machine fetch what only the machine may read. */
export async function addSubmodules(git: Git): Promise<void> {
  if (existsSync(join(git.directory, ".gitmodules")))
    await git(["submodule", "update", "--init", "--recursive", "--quiet"]);
}
