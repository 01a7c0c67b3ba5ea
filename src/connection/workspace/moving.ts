import { mkdir, rm } from "node:fs/promises";
import { type GitAnswer, unlockIndex } from "../processes/git.ts";
import type { PinnedStore } from "./pinned-store.ts";

/** The trees of a move, the index that holds the first of them, and another one that is free. */
interface Move {
  from: string;
  to: string;
  index: string;
  spare: string;
}

/** `is_untouched`: where it has failed, it has changed no file. */
export interface Moved extends GitAnswer {
  is_untouched: boolean;
}

/** Git looks at all files before it changes one. What it says then is in English. */
const REFUSED = /not uptodate|would be (overwritten|removed)|would lose untracked/;

/**
 * Makes the files of the workspace those of another tree. Git removes files before it writes others, so where a filter fails or the disk
 * is full, both are gone: the files that differ are made in a place of ours first, those to come as well as those to go.
 */
export async function moveFiles(store: PinnedStore, move: Move): Promise<Moved> {
  const { from, to, index } = move;
  const fault = await rehearsalFault(store, move);
  if (fault) return { ...fault, is_untouched: true };
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
