import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { knownTree } from "../git/commits.ts";
import { gitFoldersIn, type Head, readCommitText, readHead, readRefs } from "../git/own-files.ts";
import type { PinnedStore } from "./pinned-store.ts";
import { gitIn, type Repository } from "./repository.ts";

/** A checkout: where it is, of which snapshot, and its index, which is ours. */
interface Shown {
  root: string;
  snapshot: string;
  index: string;
  /** The name by which its git finds the objects. */
  objects: string;
}

/** Lets git in a check see the user's branch, tags and last commit, and the work as changes since. */
export async function showHistory(
  { git, top }: Repository,
  store: PinnedStore,
  { root, snapshot, index, objects }: Shown,
): Promise<void> {
  const path = join(root, ".git");
  const [head, refs] = await Promise.all([standing(git, top), refsOf(git, top), store.show(path, objects)]);
  const { ref, commit } = head;
  const at = ref === undefined ? commit : `ref: ${ref}`;
  if (at !== undefined) await writeFile(join(path, "HEAD"), `${at}\n`);
  await writeFile(join(path, "packed-refs"), `# pack-refs with: \n${refs}`);
  if (commit === undefined) return;
  const [last, kept] = [commit, snapshot].map((one) => treeIn(top, one));
  if (last !== undefined && last === kept && !store.isSparse) await copyFile(index, join(path, "index"));
  else await gitIn(root, [])(["read-tree", "HEAD"]);
}

async function refsOf(git: Repository["git"], top: string): Promise<string> {
  const folders = gitFoldersIn(top);
  const read = folders && readRefs(folders);
  if (read) return read.map((line) => `${line}\n`).join("");
  return (await git(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"])).output;
}

function treeIn(top: string, commit: string): string | undefined {
  const folders = gitFoldersIn(top);
  return knownTree(commit) ?? (folders && readCommitText(folders, commit)?.tree);
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
