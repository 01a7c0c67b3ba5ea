import { digestsOf } from "../connection/workspace/digests.ts";
import { type Digests, differencesBetween } from "../model/digests.ts";
import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
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
export async function* definitionChanges(agent: NonNullable<Task["agent"]>): AsyncGenerator<RunEvent, void> {
  const { name, directory, files: before } = agent;
  const now = before && (await definitionFiles(directory));
  const differences = now ? differencesBetween(before, now) : [];
  if (differences.length === 0) return;
  const files = [...differences.slice(0, MOST_NAMED), ...(differences.length > MOST_NAMED ? ["…"] : [])].join(", ");
  yield { type: "notice", notice: notice("definition_changed", { name, files }) };
}

const MOST_NAMED = 5;
