import { reasonFor, reasonForNew } from "../../judgment/proof/file-kinds.ts";
import type { Task } from "../../model/task.ts";
import type { RunContext } from "../run-context.ts";

/** The work of an earlier task that was not completed. `end`: its last snapshot; undefined where its run was killed before one. */
export interface EarlierWork {
  start: string;
  end: string | undefined;
  /** What its checks found outside the project at its start, and what it has left there and among ignored files. */
  toolchain?: Task["toolchain"];
  left?: Task["left"];
}

/**
 * The start with which protected files are compared. Tests and the like that an earlier task has changed without completing, and that are
 * still as it has left them, are those of before it; a change that the user has committed since is the user's.
 */
export async function protectedStart({ ports, earlier }: RunContext, start: string): Promise<string | undefined> {
  const { workspace } = ports;
  const sources = new Map<string, string>();
  for (const work of (await earlier?.()) ?? []) {
    const end = work.end ?? start;
    const [changed = [], since = [], then, now] = await Promise.all([
      workspace.changes(work.start, end),
      workspace.changes(end, start),
      workspace.changes(`${end}^`, end),
      workspace.changes(`${start}^`, start),
    ]);
    const [isSince, wasUncommitted, isUncommitted] = [since, then, now].map(
      (files) => new Set(files?.map(({ path }) => path) ?? []),
    ) as [Set<string>, Set<string>, Set<string>];
    for (const { path, status } of changed) {
      const isProtected = (status === "added" ? reasonForNew(path) : reasonFor(path)) !== undefined;
      const isCommitted = now !== undefined && wasUncommitted.has(path) && !isUncommitted.has(path);
      if (isProtected && !isSince.has(path) && !(work.end !== undefined && isCommitted)) sources.set(path, work.start);
    }
  }
  return sources.size === 0 ? undefined : workspace.mixed(start, sources);
}
