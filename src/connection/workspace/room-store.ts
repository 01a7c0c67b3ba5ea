import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Head, readHead } from "../git/own-files.ts";
import type { PinnedStore } from "./pinned-store.ts";
import { gitIn, type Repository } from "./repository.ts";

/** Lets git in a check see the user's branch, tags and last commit, and the work as changes since. */
export async function showHistory(
  { git, top }: Repository,
  store: PinnedStore,
  { root, objects }: { root: string; objects: string },
): Promise<void> {
  const path = join(root, ".git");
  const [head, refs] = await Promise.all([
    standing(git, top),
    git(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"]),
    store.show(path, objects),
  ]);
  const { ref, commit } = head;
  const at = ref === undefined ? commit : `ref: ${ref}`;
  if (at !== undefined) await writeFile(join(path, "HEAD"), `${at}\n`);
  await writeFile(join(path, "packed-refs"), `# pack-refs with: \n${refs.output}`);
  if (commit !== undefined) await gitIn(root, [])(["read-tree", "HEAD"]);
}

/** Before the first commit there is a branch alone. */
async function standing(git: Repository["git"], top: string): Promise<Partial<Head>> {
  const read = readHead(top);
  if (read) return read;
  const head = await git(["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"]);
  const [commit = "", name = ""] = head.exit_code === 0 ? head.output.split("\n") : [];
  const ref = commit === "" ? (await git(["symbolic-ref", "--quiet", "HEAD"])).output.trim() : name;
  return { ...(ref.startsWith("refs/") && { ref }), ...(commit !== "" && { commit }) };
}
