import { mirrorWith, snapshotsIn, type Travelled } from "../connection/fleet/travelled.ts";
import { commitOf, gitAt } from "../connection/git/checkout.ts";
import type { TaskPast } from "../connection/ports/task-store.ts";
import { repositoryOf } from "../connection/workspace/repository.ts";
import { E8Error } from "../model/errors.ts";

/** Reads a task's snapshots where its machines share them; undefined for a task that stays on one. Throws `remote_unreachable`. */
export async function travelled({ task }: TaskPast, commits: readonly string[]) {
  const { repository, task_id: id } = task;
  if (!repository) return undefined;
  const wanted: Travelled = { repository, id, commits };
  return snapshotsIn(await opened(wanted), wanted);
}

/**
 * Has a task's snapshot in the project's repository, where its files are to become the project's. Throws `snapshot_elsewhere` where that is
 * another repository: it would get the whole history of the task's.
 */
export async function bringHere({ task }: TaskPast, commit: string): Promise<void> {
  const { repository, task_id: id, project } = task;
  const here = await repositoryOf(project, undefined);
  const git = here && gitAt(here.top);
  if (!repository || (git && (await commitOf(git, commit)) !== undefined)) return;
  const { base_commit, url } = repository;
  if (!git || base_commit === undefined || (await commitOf(git, base_commit)) === undefined)
    throw new E8Error("snapshot_elsewhere", { repository: url, id, directory: project });
  const mirror = await opened({ repository, id, commits: [commit] });
  const refs = `+refs/e8/${id}/*:refs/e8/${id}/*`;
  await git(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", mirror.directory, refs]);
}

function opened(wanted: Travelled) {
  return mirrorWith(wanted, { environment: process.env, signal: AbortSignal.timeout(LONGEST_WAIT) });
}

/** For another process of the machine that uses its copy. */
const LONGEST_WAIT = 30_000;
