import process from "node:process";
import { type PruneRequest, type Removable, removeTask, tasksNamed, tasksToPrune } from "../../compose/removal.ts";
import { LoopStatus } from "../../model/records.ts";
import { exitCodes } from "../exit-codes.ts";
import type { CliContext } from "../output.ts";
import { confirmAtTerminal, isTerminal } from "../questions.ts";
import { byteCount } from "../render/amounts.ts";
import { chosenFlag, unfitFlag } from "../run-flags.ts";

interface RemoveFlags {
  project: string;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** `e8 rm` */
export async function removeCommand(names: readonly string[], flags: RemoveFlags, context: CliContext): Promise<void> {
  await removeAll(await tasksNamed(flags.project, names), flags, context);
}

interface PruneFlags extends RemoveFlags {
  olderThan: string;
  status: string[];
}

/** `e8 prune` */
export async function pruneCommand(flags: PruneFlags, context: CliContext): Promise<void> {
  const before = new Date(Date.now() - agePassed(flags.olderThan, context));
  const tasks = await tasksToPrune(flags.project, { before, statuses: statusesIn(flags) });
  if (tasks.length === 0 && !flags.json) return context.output.progress(context.texts.remove.none);
  await removeAll(tasks, flags, context);
}

function statusesIn({ status }: PruneFlags): PruneRequest["statuses"] {
  const possible = [...LoopStatus.options, "interrupted"] as const;
  return status.map((one) => chosenFlag({ flag: "--status", command: "prune" }, one, possible));
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** The milliseconds of `30d`, `12h` or `2w`. */
function agePassed(typed: string, { texts }: CliContext): number {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(typed.trim()) ?? [];
  if (count !== undefined) return Number(count) * (UNITS[unit] ?? 0);
  throw unfitFlag({ flag: "--older-than", command: "prune" }, typed, texts.values.age);
}

async function removeAll(tasks: readonly Removable[], flags: RemoveFlags, context: CliContext): Promise<void> {
  const { texts, output } = context;
  const { project, dryRun = false, json } = flags;
  const size = byteCount(tasks.reduce((sum, { bytes }) => sum + bytes, 0));
  if (!dryRun && !(await isWanted(tasks.length, size, flags, context))) {
    output.progress(texts.remove.left);
    process.exitCode = exitCodes.cancelled;
    return;
  }
  for (const { task_id, bytes } of tasks) {
    const left = dryRun ? undefined : await removeTask(project, task_id);
    if (left !== undefined) output.progress(texts.remove.refsLeft(task_id, left));
    if (!json) output.result(`${task_id}  ${byteCount(bytes)}`);
  }
  if (json) output.json(tasks);
  output.progress((dryRun ? texts.remove.wouldRemove : texts.remove.removed)(tasks.length, size));
}

async function isWanted(count: number, size: string, { yes }: RemoveFlags, { texts }: CliContext): Promise<boolean> {
  return yes || !isTerminal() || (await confirmAtTerminal(texts.remove.ask(count, size), texts));
}
