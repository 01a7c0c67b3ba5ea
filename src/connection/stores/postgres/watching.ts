import type { TaskId } from "../../../model/task.ts";
import { IS_HELD } from "./lease.ts";
import { ANY, type Listener } from "./listener.ts";
import type { ProjectPart } from "./reading.ts";

const LOOK_MILLISECONDS = 3_000;
/** News come with every event of every run. */
const SOONEST_MILLISECONDS = 500;

const MARKS = `
  select task_id, concat_ws(' ', fence, ${IS_HELD}, paused_for, ending_seq, md5(heading::text)) as mark from e8.task where project = $1`;

/** The `watch` of a store in a database. Who holds a task is compared: leases lapse without news. */
export function watchTasks(
  ready: () => Promise<ProjectPart>,
  listener: Listener,
  changed: (id: TaskId) => void,
): () => void {
  let known: Map<TaskId, string> | undefined;
  let isOver = false;
  let isSoon = false;
  let timer: NodeJS.Timeout | undefined;
  const plan = (milliseconds: number) => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(look, milliseconds).unref();
  };
  const look = async () => {
    const now = await marksOf(await ready()).catch(() => known); // the database may be away for a while
    for (const id of known && now ? changedBetween(known, now) : []) changed(id);
    known = now;
    isSoon = false;
    plan(LOOK_MILLISECONDS);
  };
  const leave = listener.on(ANY, () => {
    if (!isSoon) plan(SOONEST_MILLISECONDS);
    isSoon = true;
  });
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
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
