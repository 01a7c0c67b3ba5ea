import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { tellTask } from "../../compose/steering.ts";
import { TaskId } from "../../model/task.ts";
import type { CliContext } from "../output.ts";

/** `e8 tell [id] "…"`: a single argument is the note. */
export async function tellCommand(
  words: readonly [string | undefined, string | undefined],
  { project }: { project: string },
  { texts, output }: CliContext,
): Promise<void> {
  const [first = "", second] = words;
  const isIdAlone = second === undefined && TaskId.safeParse(first).success;
  const [id, given = ""] = second === undefined && !isIdAlone ? [undefined, first] : [first, second];
  const note = given === "-" ? await readAll(process.stdin) : given;
  const told = await tellTask({ project, id }, note);
  output.result(told.isDone ? texts.steering.told(told.id) : texts.steering.toldStopped(told.id));
}
