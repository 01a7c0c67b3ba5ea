import { mkdir, rm } from "node:fs/promises";
import { type GitAnswer, NO_ANSWER, unlockIndex } from "../processes/git.ts";
import { filesInTheWay } from "./in-the-way.ts";
import type { PinnedStore } from "./pinned-store.ts";

/** The trees of a move in a directory, the index that holds the first of them, and another one that is free. */
interface Move {
  top: string;
  from: string;
  to: string;
  index: string;
  spare: string;
}

/** `is_untouched`: where it has failed, it has changed no file. `in_the_way`: files that it would have lost, as git names them. */
export interface Moved extends GitAnswer {
  is_untouched: boolean;
  in_the_way?: string[];
}

/** Git looks at all files before it changes one. What it says then is in English. */
const REFUSED = /not uptodate|would be (overwritten|removed)|would lose untracked/;

/**
 * Makes the files of the workspace those of another tree. Git removes files before it writes others, so where a filter fails or the disk
 * is full, both are gone: the files that differ are made in a place of ours first, those to come as well as those to go.
 */
export async function moveFiles(store: PinnedStore, move: Move): Promise<Moved> {
  const { top, from, to, index } = move;
  const fault = await rehearsalFault(store, move);
  if (fault) return { ...fault, is_untouched: true };
  const ask = (args: readonly string[], stdin = "") => store.git(args, { index, stdin, encoding: "latin1" });
  const found = await filesInTheWay(ask, top, move);
  if (!Array.isArray(found)) return { ...found, is_untouched: true };
  if (found.length > 0) return { ...NO_ANSWER, is_untouched: true, in_the_way: found };
  const moved = await store.git(["read-tree", "-m", "-u", from, to], { index });
  return { ...moved, is_untouched: REFUSED.test(moved.said) };
}

/** In an empty directory, git only writes what differs between two trees. */
async function rehearsalFault(store: PinnedStore, { from, to, spare }: Move): Promise<GitAnswer | undefined> {
  const work_tree = `${spare}.files`;
  const steps = [
    ["read-tree", from],
    ["read-tree", "-m", "-u", from, to],
    ["read-tree", "-m", "-u", to, from],
  ];
  await unlockIndex(spare);
  await rm(work_tree, REMOVAL);
  await mkdir(work_tree);
  try {
    for (const step of steps) {
      const done = await store.git(step, { index: spare, work_tree });
      if (done.exit_code !== 0) return done;
    }
    return undefined;
  } finally {
    await rm(work_tree, REMOVAL);
  }
}

const REMOVAL = { recursive: true, force: true };
