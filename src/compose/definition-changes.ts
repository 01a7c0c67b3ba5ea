import { digestsOf } from "../connection/workspace/digests.ts";
import { type Digests, differencesBetween } from "../model/digests.ts";
import { E8Error } from "../model/errors.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { LoopResult } from "../model/records.ts";
import type { Task } from "../model/task.ts";

/** What the files of an agent are; undefined where they are too many to be kept with a task. */
export async function definitionFiles(directory: string): Promise<Digests | undefined> {
  try {
    return await digestsOf(directory, ["**"]);
  } catch (error) {
    if (error instanceof E8Error) return undefined;
    throw error;
  }
}

/** A definition is read anew on resume, because users mend them. So may a worker have, to make its own conditions easier: that is said. */
export async function* definitionChanges({ name, directory, files }: Agent): AsyncGenerator<RunEvent, void> {
  const changed = await changedFiles(directory, files);
  if (changed) yield { type: "notice", notice: notice("definition_changed", { name, files: changed }) };
}

/** Says before a run ends what was changed while it went on: in the next one, of whatever task, that counts. */
export function tellingOfChanges(
  events: AsyncGenerator<RunEvent, LoopResult>,
  { name, directory, files }: Agent,
): AsyncGenerator<RunEvent, LoopResult> {
  return through(events, async function* (event): AsyncGenerator<RunEvent> {
    const changed = event.type === "run-end" && (await changedFiles(directory, files).catch(() => undefined));
    if (changed) yield { type: "notice", notice: notice("definition_changed_during", { name, files: changed }) };
    yield event;
  });
}

type Agent = Pick<NonNullable<Task["flow"]>, "name" | "directory" | "files">;

async function changedFiles(directory: string, before: Digests | undefined): Promise<string | undefined> {
  const now = before && (await definitionFiles(directory));
  const differences = now ? differencesBetween(before, now) : [];
  if (differences.length === 0) return undefined;
  return [...differences.slice(0, MOST_NAMED), ...(differences.length > MOST_NAMED ? ["…"] : [])].join(", ");
}

const MOST_NAMED = 5;
