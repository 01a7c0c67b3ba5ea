import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { Knowledge } from "../../../model/roles.ts";
import type { Task, TaskId } from "../../../model/task.ts";
import type { NewTask, TaskStore } from "../../ports/task-store.ts";
import { requireProject } from "../../project.ts";
import { fitting, USER } from "../knowledge.ts";
import { storedJson } from "../stored-json.ts";
import type { Database } from "./database.ts";
import { type Followed, readEvents } from "./event-log.ts";
import { ADD, addedValues, knowledgeIn, OF_TASK } from "./knowledge.ts";
import { IS_HELD, refusal } from "./lease.ts";
import { Listener } from "./listener.ts";
import { requireSchema } from "./migrate.ts";
import { openTask, savedValues } from "./postgres-task.ts";
import { rawLogLines } from "./raw-logs.ts";
import { folderOf, type ProjectPart, readOverviews, readPast, readTask, requireId, rowOf } from "./reading.ts";
import { cancelTask, liveHolder, pauseTask, unpauseTask } from "./requests.ts";
import { watchTasks } from "./watching.ts";

/** The tasks of a project, kept in a PostgreSQL database that other machines share. */
export function postgresStore(part: ProjectPart): TaskStore {
  const access = accessTo(part);
  return { ...listing(access), ...steering(access), ...reading(access) };
}

interface Access {
  part: ProjectPart;
  listener: Listener;
  /** Looks at the schema, once, before anything else. */
  ready(): Promise<ProjectPart>;
  /** The same for one task, which must be there. Throws before an id such as `../..` reaches anything. */
  known(id: string): Promise<Followed>;
}

function accessTo(part: ProjectPart): Access {
  const { database } = part;
  const listener = part.listener ?? new Listener(database);
  let checked: Promise<void> | undefined;
  const ready = async () => {
    checked ??= requireSchema(database).catch((error) => {
      checked = undefined; // a worker's store outlives a database that is away
      throw error;
    });
    await checked;
    return part;
  };
  const known = async (id: string) => {
    requireId(id);
    await rowOf(await ready(), id, "1 as is_there");
    return { database, listener, id };
  };
  return { part, listener, ready, known };
}

function listing({ part, listener, ready, known }: Access) {
  const { database, project } = part;
  const idsOf = async (sql: string, values: readonly unknown[]) => {
    await ready();
    return (await database.ask(sql, values)).map(({ task_id }) => String(task_id));
  };
  return {
    create: async (input) => createTask(await ready(), input),
    open: async (id, options = {}) => {
      requireId(id);
      return openTask(await ready(), { listener, id }, options);
    },
    list: () => idsOf("select task_id from e8.task where project = $1 order by second, number", [project]),
    overviews: async (ids) => readOverviews(await ready(), ids),
    watch: (changed) => watchTasks(ready, listener, changed),
    remove: async (id) => {
      await known(id);
      await removeTask(part, id);
    },
    sweep: async () => {
      await ready();
      await database.ask(SWEEP, [project]);
      return 0;
    },
    size: async (id) => {
      await known(id);
      const [row] = await database.ask(SIZE, [id]);
      return Number(row?.size ?? 0);
    },
    copiedTo: (persist) => idsOf(COPIED, [project, persist]),
  } satisfies Partial<TaskStore>;
}

function steering({ part, known }: Access) {
  return {
    holder: async (id) => {
      const holder = await liveHolder(await known(id));
      return holder && { who: holder.who, since: holder.since };
    },
    cancel: async (id) => cancelTask(await known(id)),
    pause: async (id) => pauseTask(await known(id)),
    unpause: async (id) => unpauseTask(await known(id)),
    tell: async (id, text, now) => {
      await known(id);
      const given_at = now.toISOString();
      const note_id = `${given_at.replaceAll(":", "-")}-${randomUUID()}`;
      const sql = "insert into e8.note (task_id, note_id, doc) values ($1, $2, $3) on conflict do nothing";
      await part.database.ask(sql, [id, note_id, storedJson({ note_id, text, given_at })]);
    },
  } satisfies Partial<TaskStore>;
}

function reading({ part, ready, known }: Access) {
  const { database, project } = part;
  return {
    read: async (id) => {
      await known(id);
      return readTask(part, id);
    },
    past: async (id) => {
      await known(id);
      return readPast(part, id);
    },
    events: async function* (id, options) {
      yield* readEvents(await known(id), options);
    },
    rawLog: async function* (id, request) {
      const followed = await known(id);
      yield* rawLogLines(followed, await readTask(part, id), request);
    },
    knowledge: async (request) => {
      const { task } = request;
      await (task === undefined ? ready() : known(task));
      const rows = await (task === undefined ? database.ask(OF_ALL, [project]) : database.ask(OF_TASK, [task]));
      return fitting(knowledgeIn(rows), request);
    },
    addKnowledge: async (draft, now) => {
      await ready();
      const entry = Knowledge.parse({ ...draft, source_task: USER, created_at: now.toISOString() });
      await database.ask(ADD, [project, null, ...addedValues([entry])]);
      return entry;
    },
  } satisfies Partial<TaskStore>;
}

const OF_ALL = "select doc::text from e8.knowledge where project = $1 order by task_id nulls first, number";

const COPIED = `
  select task_id from e8.task where project = $1 and persist = $2 and records > 0 order by last_active, second, number`;

/** A run that was killed after its end has left its lease. */
const SWEEP = `
  update e8.task set fence = null, lease_until = null, held_since = null, holder = null, paused_for = null
  where project = $1 and fence is not null and not ${IS_HELD} and ending_seq > held_from`;

/** Another task of the same second takes its number: then the next one is tried. */
const CREATE = `
  insert into e8.task (task_id, second, number, project, created_at, doc, heading, persist, last_active)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $5) on conflict do nothing returning task_id`;

async function createTask(part: ProjectPart, input: NewTask): Promise<TaskId> {
  const { configuration, now, flow, named, ...given } = input;
  const { database, directory, project } = part;
  await requireProject(directory);
  const second = now.toISOString().slice(0, 19).replaceAll(":", "-");
  const created_at = now.toISOString();
  const made_by = randomUUID();
  for (;;) {
    const [row] = await database.ask("select coalesce(max(number), 0) + 1 as next from e8.task where second = $1", [
      second,
    ]);
    const number = Number(row?.next);
    const task_id = number === 1 ? second : `${second}-${number}`;
    await named?.(task_id);
    const begun = { version: 1, task_id, created_at, project: directory, configuration, flow: flow ?? null } as const;
    const task: Task = { ...begun, ...given, intake: null, answers: [], boundary: null };
    const [doc, heading, persist] = savedValues(task);
    const marked = JSON.stringify({ ...JSON.parse(heading), made_by });
    const [made] = await database.ask(CREATE, [task_id, second, number, project, created_at, doc, marked, persist]);
    if (made ?? (await isMadeBy(database, task_id, made_by))) return task_id;
  }
}

/** Whether the row is ours, where the answer to its insertion was lost. */
async function isMadeBy(database: Database, id: TaskId, made_by: string): Promise<boolean> {
  const sql = "select 1 as ours from e8.task where task_id = $1 and heading ->> 'made_by' = $2";
  return (await database.ask(sql, [id, made_by])).length > 0;
}

const REMOVE = `delete from e8.task where task_id = $1 and not ${IS_HELD} returning task_id`;

async function removeTask(part: ProjectPart, id: TaskId): Promise<void> {
  const { database, project } = part;
  const [removed] = await database.ask(REMOVE, [id]);
  const fault = removed ? undefined : await refusal(database, { project, id });
  if (fault && fault.code !== "task_not_found") throw fault;
  await rm(folderOf(part, id), { recursive: true, force: true });
}

const OF_EACH = ["record", "spending", "event", "knowledge", "output", "note", "bookmark", "raw_line"].map((table) => {
  const column = table === "raw_line" ? "line" : "doc::text";
  const exact = table === "raw_line" || table === "output" ? " + coalesce(octet_length(exact), 0)" : "";
  return `(select coalesce(sum(octet_length(${column})${exact}), 0) from e8.${table} where task_id = $1)`;
});
const SIZE = `select octet_length(doc::text) + ${OF_EACH.join(" + ")} as size from e8.task where task_id = $1`;
