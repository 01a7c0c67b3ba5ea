import { digestsOf } from "../connection/workspace/digests.ts";
import { type Digests, differencesBetween } from "../model/digests.ts";
import { E8Error } from "../model/errors.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { LoopResult } from "../model/records.ts";
import type { Task } from "../model/task.ts";

/** Digests of a flow's files; undefined when there are too many to store with a task. */
export async function definitionFiles(directory: string): Promise<Digests | undefined> {
  try {
    return await digestsOf(directory, ["**"]);
  } catch (error) {
    if (error instanceof E8Error) return undefined;
    throw error;
  }
}

/** A definition is read again on resume, because users correct them. A worker may have changed it, too, to make its conditions easier: the user is told. */
export async function* definitionChanges({ name, directory, files }: TaskFlow): AsyncGenerator<RunEvent, void> {
  const changed = await changedFiles(directory, files);
  if (changed) yield { type: "notice", notice: notice("definition_changed", { name, files: changed }) };
}

/** Announces before the end of a run which files changed during it: the next run of any task uses them. */
export function tellingOfChanges(
  events: AsyncGenerator<RunEvent, LoopResult>,
  { name, directory, files }: TaskFlow,
): AsyncGenerator<RunEvent, LoopResult> {
  return through(events, async function* (event): AsyncGenerator<RunEvent> {
    const changed = event.type === "run-end" && (await changedFiles(directory, files).catch(() => undefined));
    if (changed) yield { type: "notice", notice: notice("definition_changed_during", { name, files: changed }) };
    yield event;
  });
}

type TaskFlow = Pick<NonNullable<Task["flow"]>, "name" | "directory" | "files">;

async function changedFiles(directory: string, before: Digests | undefined): Promise<string | undefined> {
  const now = before && (await definitionFiles(directory));
  const differences = now ? differencesBetween(before, now) : [];
  if (differences.length === 0) return undefined;
  return [...differences.slice(0, MOST_NAMED), ...(differences.length > MOST_NAMED ? ["…"] : [])].join(", ");
}

const MOST_NAMED = 5;
