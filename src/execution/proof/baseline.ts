import type { Task } from "../../model/task.ts";
import type { RunContext } from "../run-context.ts";
import { changedFiles, compared } from "./changed-files.ts";
import { commandsIn } from "./check-scripts.ts";

/** The work of an earlier task that was not completed. `end`: its last snapshot; undefined where its run was killed before one. */
export interface EarlierWork {
  start: string;
  end: string | undefined;
  /** What its checks found outside the project at its start, and what it has left there and among ignored files. */
  toolchain?: Task["toolchain"];
  left?: Task["left"];
}

/**
 * The start with which protected files are compared. What the checks rest on, and an earlier task has changed without completing, and is
 * still as it has left it, is that of before it; a change that the user has committed since is the user's.
 */
export async function protectedStart(context: RunContext, start: string): Promise<string | undefined> {
  const { workspace } = context.ports;
  const sources = new Map<string, string>();
  for (const work of (await context.earlier?.()) ?? []) {
    const end = work.end ?? start;
    const [changed, since = [], then, now] = await Promise.all([
      protectedIn(context, { start: work.start, commit: end }),
      workspace.changes(end, start),
      workspace.changes(`${end}^`, end),
      workspace.changes(`${start}^`, start),
    ]);
    const [isSince, wasUncommitted, isUncommitted] = [since, then, now].map(
      (files) => new Set(files?.map(({ path }) => path) ?? []),
    ) as [Set<string>, Set<string>, Set<string>];
    for (const path of changed) {
      const isCommitted = now !== undefined && wasUncommitted.has(path) && !isUncommitted.has(path);
      if (!isSince.has(path) && !(work.end !== undefined && isCommitted)) sources.set(path, work.start);
    }
  }
  return sources.size === 0 ? undefined : workspace.mixed(start, sources);
}

/** What a proof of the earlier work would have held against it, had the checks been those of this task. */
async function protectedIn(context: RunContext, work: { start: string; commit: string }): Promise<string[]> {
  const { protected_changes } = await changedFiles(
    context,
    { commands: commandsIn(context.configuration.criteria), rests_on_tests: true },
    { comparison: await compared(context, work), files: [], ignored: [] },
  );
  return protected_changes.map(({ path }) => path);
}
