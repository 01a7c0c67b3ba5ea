import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PinnedStore } from "./pinned-store.ts";
import { gitIn, type Repository } from "./repository.ts";

/** Lets git in a check see the user's branch, tags and last commit, and the work as changes since. */
export async function showHistory(
  { git }: Repository,
  store: PinnedStore,
  { root, objects }: { root: string; objects: string },
): Promise<void> {
  const path = join(root, ".git");
  const [head, refs] = await Promise.all([
    git(["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"]),
    git(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"]),
    store.show(path, objects),
  ]);
  const [commit = "", name] = head.output.split("\n");
  const branch = head.exit_code === 0 ? name : (await git(["symbolic-ref", "--quiet", "HEAD"])).output.trim();
  const at = branch?.startsWith("refs/") ? `ref: ${branch}` : commit;
  if (at !== "") await writeFile(join(path, "HEAD"), `${at}\n`);
  await writeFile(join(path, "packed-refs"), `# pack-refs with: \n${refs.output}`);
  if (head.exit_code === 0) await gitIn(root, [])(["read-tree", "HEAD"]);
}
