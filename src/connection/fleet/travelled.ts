import { join } from "node:path";
import type { RemoteRepository, TaskId } from "../../model/task.ts";
import { commitOf } from "../git/checkout.ts";
import type { Workspace } from "../ports/workspace.ts";
import { PinnedStore } from "../workspace/pinned-store.ts";
import { gitIn } from "../workspace/repository.ts";
import { Snapshots } from "../workspace/snapshots.ts";
import { Trees } from "../workspace/trees.ts";
import { fetchTask, type Mirror, type MirrorOptions, openMirror } from "./mirror.ts";

/** A task whose machines share its snapshots, and those that are looked for. */
export interface Travelled {
  repository: RemoteRepository;
  id: TaskId;
  commits: readonly string[];
}

/** This machine's copy of a repository, with a task's snapshots as far as the remote has them. Throws `remote_unreachable`. */
export async function mirrorWith({ repository, id, commits }: Travelled, options: MirrorOptions): Promise<Mirror> {
  const mirror = await openMirror(repository.url, options);
  const found = await Promise.all(commits.map((commit) => commitOf(mirror.git, commit)));
  if (found.includes(undefined)) await fetchTask(mirror, id, options.signal);
  return mirror;
}

/** Reads snapshots in the machine's copy: they need no checkout for that. */
export function snapshotsIn(
  { directory }: Mirror,
  { repository, id }: Travelled,
): Pick<Workspace, "changes" | "totals" | "diff"> {
  const bare = { top: directory, isUsers: false, folders: undefined, git: gitIn(directory, []) };
  const trees = new Trees(bare, new PinnedStore(bare, join(directory, "unused")), join(directory, "unused-index")); // only for what writes
  return new Snapshots(bare, trees, { project: join(directory, repository.path), task: id });
}
