import { pausedTask, unpauseTask } from "../../compose/steering.ts";
import { E8Error } from "../../model/errors.ts";
import type { CliContext } from "../output.ts";
import type { CommonRunFlags } from "../run-flags.ts";
import { runCommand } from "./run.ts";

/** The flags that only say where a run is and how it is shown. */
const OF_THE_VIEW = ["project", "store", "verbose", "plain", "json", "jsonEvents"];

/** Has a paused run go on; otherwise does what `e8 run --resume` does. */
export async function resumeCommand(id: string | undefined, flags: CommonRunFlags, context: CliContext): Promise<void> {
  const { texts, output } = context;
  const { project } = flags;
  const paused = await pausedTask({ project, id });
  if (paused === undefined) return runCommand(undefined, { ...flags, resume: id ?? true }, context);
  // `--no-review` is reported as true where it is absent.
  const { review, ...others } = flags;
  const given = { ...others, ...(review === false && { review }) };
  const changes = Object.entries(given).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
  if (changes.some(([flag]) => !OF_THE_VIEW.includes(flag)))
    throw new E8Error("flag_invalid", { flag: "e8 resume", problem: texts.steering.pausedRunStays });
  const { isDone } = await unpauseTask(project, paused);
  output.result(isDone ? texts.steering.unpaused(paused) : texts.steering.unpausePending(paused));
}
