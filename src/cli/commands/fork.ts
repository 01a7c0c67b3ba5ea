import { forkTask } from "../../compose/fork.ts";
import { runToEnd } from "../follow.ts";
import type { CliContext } from "../output.ts";
import { unfitFlag } from "../run-flags.ts";
import type { RunFlags } from "./run.ts";

export interface ForkFlags extends RunFlags {
  from: string;
}

/** `e8 fork <id> --from n [task]` */
export async function forkCommand(
  id: string,
  task: string | undefined,
  { from, ...flags }: ForkFlags,
  context: CliContext,
): Promise<void> {
  if (!/^\d{1,4}$/.test(from))
    throw unfitFlag({ flag: "--from", command: "fork" }, from, context.texts.snapshots.iteration);
  const { project, samePlace, acceptChanges } = flags;
  const request = { project, id, from: Number(from), flags: { ...flags, task } };
  await runToEnd((options) => forkTask(request, { ...options, samePlace, acceptChanges }), flags, context);
}
