import { mirrorWith, snapshotsIn, type Travelled } from "../connection/fleet/travelled.ts";
import { commitOf, gitAt } from "../connection/git/checkout.ts";
import type { TaskPast } from "../connection/ports/task-store.ts";
import { repositoryOf } from "../connection/workspace/repository.ts";
import { E8Error } from "../model/errors.ts";

/**
 * Reads a task's snapshots where its machines share them; undefined for a task that stays on one. Throws `remote_unreachable`, also where
 * the remote gives no answer for so many seconds.
 */
export async function travelled({ task }: TaskPast, commits: readonly string[], seconds = LONGEST_SECONDS) {
  const { repository, task_id: id } = task;
  if (!repository) return undefined;
  const wanted: Travelled = { repository, id, commits };
  return snapshotsIn(await opened(wanted, seconds), wanted);
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

async function opened(wanted: Travelled, seconds = LONGEST_SECONDS) {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    return await mirrorWith(wanted, { environment: process.env, signal, timeout_seconds: seconds });
  } catch (error) {
    if (!signal.aborted || error instanceof E8Error) throw error;
    const said = `another process has used this machine's copy of it for ${seconds} seconds`;
    throw new E8Error("remote_unreachable", { repository: wanted.repository.url, said }, { cause: error });
  }
}

/** For another process of the machine that uses its copy, and for the remote: a person waits. */
const LONGEST_SECONDS = 30;
