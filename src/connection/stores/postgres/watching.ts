import { setTimeout as pause } from "node:timers/promises";
import type { TaskId } from "../../../model/task.ts";
import { Alarm } from "../alarm.ts";
import { IS_HELD } from "./lease.ts";
import { ANY, type Listener } from "./listener.ts";
import type { ProjectPart } from "./reading.ts";

const LOOK_MILLISECONDS = 3_000;
/** News come with every event of every run. */
const SOONEST_MILLISECONDS = 500;

const MARKS = `
  select task_id, concat_ws(' ', fence, ${IS_HELD}, paused_for, ending_seq, md5(heading::text)) as mark from e8.task where project = $1`;

/**
 * The `watch` of a store in a database. Who holds a task is compared: leases lapse without news. The first look tells of all tasks: what has
 * changed between the call and that look is among them.
 */
export function watchTasks(
  ready: () => Promise<ProjectPart>,
  listener: Listener,
  changed: (id: TaskId) => void,
): () => void {
  let known: Map<TaskId, string> = new Map();
  const leaving = new AbortController();
  const alarm = new Alarm({ isIdle: true });
  const leave = listener.on("news", ANY, alarm.ring);
  const look = async () => {
    const now = await marksOf(await ready());
    for (const id of changedBetween(known, now)) changed(id);
    known = now;
  };
  void (async () => {
    while (!leaving.signal.aborted) {
      await look().catch(() => {}); // the database may be away for a while
      await pause(SOONEST_MILLISECONDS, undefined, { signal: leaving.signal, ref: false }).catch(() => {});
      await alarm.wait(LOOK_MILLISECONDS - SOONEST_MILLISECONDS, leaving.signal);
    }
  })();
  return () => {
    leaving.abort();
    leave();
  };
}

async function marksOf({ database, project }: ProjectPart): Promise<Map<TaskId, string>> {
  const rows = await database.ask(MARKS, [project]);
  return new Map(rows.map(({ task_id, mark }) => [String(task_id), String(mark)]));
}

function changedBetween(before: ReadonlyMap<TaskId, string>, now: ReadonlyMap<TaskId, string>): TaskId[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((id) => before.get(id) !== now.get(id));
}
