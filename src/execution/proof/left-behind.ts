import type { Workspace } from "../../connection/ports/workspace.ts";
import { type Digests, differencesBetween } from "../../model/digests.ts";
import type { ProtectedChange } from "../../model/proof-record.ts";
import type { LoopResult } from "../../model/records.ts";
import type { Task } from "../../model/task.ts";
import type { RunContext } from "../run-context.ts";
import type { EarlierWork } from "./baseline.ts";
import { changedFiles, compared } from "./changed-files.ts";
import { commandsIn, scriptsOfChecks } from "./check-scripts.ts";

/**
 * Remembers what a run that was not completed leaves outside the snapshots: settings and programs that checks find, and ignored files
 * that they would rest on. The next task takes neither for its start.
 */
export async function rememberLeft(context: RunContext, status: LoopResult["status"]): Promise<void> {
  const { store, workspace, commands, clock } = context.ports;
  const { toolchain, start, flow } = store.task;
  if (status === "completed" || flow !== null || !toolchain || start === undefined) return;
  const checks = commandsIn(context.configuration.criteria);
  const now = await commands.toolchain(await scriptsOfChecks(context, checks));
  const keys = [...new Set([...Object.keys(toolchain), ...Object.keys(now)])].filter(
    (key) => toolchain[key] !== now[key],
  );
  const ignored = await workspace.ignoredChanges();
  const { protected_changes } = await changedFiles(
    context,
    { commands: checks, rests_on_tests: true },
    { comparison: await compared(context, { start, commit: start }), files: [], ignored },
  );
  if (keys.length === 0 && protected_changes.length === 0) return;
  const left = {
    toolchain: Object.fromEntries(keys.map((key) => [key, now[key] ?? null])),
    ignored: protected_changes.slice(0, MOST_REMEMBERED),
    at: clock.now().toISOString(),
  };
  await store.save({ left });
}

const MOST_REMEMBERED = 500;

/** The toolchain that counts as that of the start, and the ignored files that do not. */
export async function withoutLeft(
  { ports, earlier }: RunContext,
  now: Digests,
): Promise<Pick<Task, "toolchain" | "suspect_ignored"> & { hasLeft: boolean }> {
  const works = ((await earlier?.()) ?? []).filter(({ left }) => left !== undefined);
  const suspects = await Promise.all(works.map(({ left }) => stillThere(ports.workspace, left)));
  const ignored = new Map(suspects.flat().map((change) => [change.path, change]));
  const toolchain = works.reduce(asBefore, now);
  return {
    hasLeft: ignored.size > 0 || differencesBetween(toolchain, now).length > 0,
    toolchain,
    ...(ignored.size > 0 && { suspect_ignored: [...ignored.values()] }),
  };
}

/** With what an earlier task has left as it was before that task. */
function asBefore(counting: Digests, { left, toolchain: before = {} }: EarlierWork): Digests {
  const isLeft = (key: string) =>
    left !== undefined && key in left.toolchain && (counting[key] ?? null) === left.toolchain[key];
  const own = Object.entries(counting).filter(([key]) => !isLeft(key));
  const back = Object.entries(before).filter(([key]) => isLeft(key));
  return Object.fromEntries([...own, ...back]);
}

async function stillThere(workspace: Workspace, left: EarlierWork["left"]): Promise<ProtectedChange[]> {
  if (!left || left.ignored.length === 0) return [];
  const written = new Set(await workspace.ignoredWritten(new Date(left.at)));
  return left.ignored.filter(({ path }) => !written.has(path));
}
