import { cleanSnapshots, rollBack } from "../../compose/snapshots.ts";
import type { CliContext } from "../output.ts";
import { unfitFlag } from "../run-flags.ts";

/** `e8 rollback [id] --to n` */
export async function rollbackCommand(
  id: string | undefined,
  { project, to, json }: { project: string; to: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  if (!/^\d{1,4}$/.test(to)) throw unfitFlag({ flag: "--to", command: "rollback" }, to, texts.snapshots.number);
  const done = await rollBack({ project, id }, Number(to));
  if (json) output.json({ ...done, to: Number(to) });
  else output.result(texts.snapshots.rolledBack(Number(to), done.before));
}

/** `e8 clean` */
export async function cleanCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const count = await cleanSnapshots(project);
  if (json) output.json({ tasks: count });
  else output.result(texts.snapshots.cleaned(count));
}
