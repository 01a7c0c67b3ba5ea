import { cleanSnapshots, rollBack } from "../../compose/snapshots.ts";
import type { CliContext } from "../output.ts";
import { unfitFlag } from "../run-flags.ts";

const ITERATION = /^\d{1,4}$/;
/** An iteration, or a commit, which is longer. */
const SNAPSHOT = /^(\d{1,4}|[0-9a-f]{7,64})$/;

/** `e8 rollback [id] --to n` */
export async function rollbackCommand(
  id: string | undefined,
  { project, to, json }: { project: string; to: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  if (!SNAPSHOT.test(to)) throw unfitFlag({ flag: "--to", command: "rollback" }, to, texts.snapshots.number);
  await rollBack({ project, id }, to, (done) => {
    if (json) return output.json({ ...done, to: ITERATION.test(to) ? Number(to) : to });
    output.result(texts.snapshots.rolledBack(done.id, to, done.before));
    if (done.left_out) output.result(texts.snapshots.leftOut(done.left_out));
    if (done.interrupted !== undefined) output.result(texts.snapshots.interrupted(done.id, done.interrupted));
  });
}

/** `e8 clean` */
export async function cleanCommand(
  { project, json }: { project: string; json?: boolean },
  { texts, output }: CliContext,
): Promise<void> {
  const cleaned = await cleanSnapshots(project);
  if (json) return output.json(cleaned);
  const { tasks, copies, kept } = cleaned;
  output.result(texts.snapshots.cleaned(tasks));
  if (kept > 0) output.result(texts.snapshots.wayBackKept(kept));
  if (copies > 0) output.result(texts.snapshots.copiesRemoved(copies));
}
