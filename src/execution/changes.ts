import { isWrittenByRuns } from "../judgment/proof/file-kinds.ts";
import { totalsOf } from "../model/changes.ts";
import { MOST_CHANGED } from "../model/limits.ts";
import type { LoopResult } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import type { Task } from "../model/task.ts";
import { protectedStart } from "./proof/baseline.ts";
import { refuseWeaker } from "./proof/check-again.ts";
import type { RunContext } from "./run-context.ts";

export type Changes = Pick<LoopResult, "changed_files" | "change_totals">;

/** Keeps the state of the files before the first work, with which the report compares. */
export async function keepStart(context: RunContext, state: RunState): Promise<void> {
  const start = await startOf(context, state);
  if (start) await context.ports.store.save(start);
}

/** Undefined where nothing is to be kept: a resumed task keeps its first start. */
export async function startOf(
  context: RunContext,
  { iterations }: RunState,
): Promise<Pick<Task, "start" | "protected_start"> | undefined> {
  const { ports, configuration } = context;
  const { store, workspace } = ports;
  if (store.task.start !== undefined || iterations > 0) return undefined;
  const isProved = configuration.proof !== "none";
  const [kept] = await Promise.all([workspace.snapshot("start"), isProved && workspace.keepIgnored()]);
  if (!("commit" in kept)) {
    if (!store.task.flow) refuseWeaker(context, kept.problem); // a flow may have nothing to show in a clean checkout
    return undefined;
  }
  const protected_start = isProved ? await protectedStart(context, kept.commit) : undefined;
  return { start: kept.commit, ...(protected_start !== undefined && { protected_start }) };
}

/** Keeps the files as a worker has left them. */
export async function keepIteration({ ports }: RunContext, iteration: number): Promise<{ snapshot?: string }> {
  const kept = await ports.workspace.snapshot(String(iteration));
  return "commit" in kept ? { snapshot: kept.commit } : {};
}

/** Whether a worker has left everything as the iteration before did: files, ignored files, and the user's last commit. */
export async function sameness(
  { ports: { workspace } }: RunContext,
  { summary, judgment }: RunState,
  { snapshot, files_modified }: { snapshot?: string; files_modified: readonly string[] },
): Promise<{ is_unchanged?: boolean }> {
  const before = summary?.snapshot;
  if (!judgment || !snapshot || !before || files_modified.length > 0) return {};
  if (!(await workspace.isSame(before, snapshot))) return {};
  const written = await workspace.ignoredWritten(new Date(judgment.timestamp));
  return written.every(isWrittenByRuns) ? { is_unchanged: true } : {};
}

/** What has really changed, whatever the workers say. */
export async function changesIn({ ports }: RunContext, { files_seen }: RunState): Promise<Changes> {
  const files = await ports.workspace.changesSince(ports.store.task.start, files_seen);
  return { changed_files: files.slice(0, MOST_CHANGED), change_totals: totalsOf(files) };
}
