import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { E8Error } from "../../model/errors.ts";
import { hiddenIds, publicRecord, publicTask } from "../../model/hidden.ts";
import { HistoryRecord } from "../../model/records.ts";
import { Task } from "../../model/task.ts";
import { projectKnowledge, taskDirectoryOf, taskPaths, tasksDirectory } from "../stores/files/task-paths.ts";
import type { Row } from "../stores/postgres/database.ts";
import { IS_HELD } from "../stores/postgres/lease.ts";
import { requireSchema } from "../stores/postgres/migrate.ts";
import type { ProjectPart } from "../stores/postgres/reading.ts";
import { storedJson } from "../stores/stored-json.ts";
import { type QueryReader, queryData } from "./query-tasks.ts";
import type { TaskData } from "./task-tables.ts";

/**
 * Passes the answer to one SQL question about a project's tasks in a database to `read`. DuckDB reads them from files that are written
 * for it, so that views and answers are the same as where the tasks are files.
 */
export async function queryDatabase(part: ProjectPart, sql: string, reader: QueryReader): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), "e8-query-"));
  try {
    await queryData(await exported(part, place), sql, reader);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const TASKS = `
  select task_id, doc::text, fence is not null as was_held, held_since, ${IS_HELD} as is_alive,
    coalesce(paused_for = fence, false) as is_paused
  from e8.task where project = $1 order by second, number`;

async function exported({ database, directory, project }: ProjectPart, place: string): Promise<TaskData> {
  await requireSchema(database);
  const rows = await database.ask(TASKS, [project]);
  const shared = projectKnowledge(place);
  await mkdir(tasksDirectory(place), { recursive: true });
  const known = await database.ask(
    "select doc::text from e8.knowledge where project = $1 and task_id is null order by number",
    [project],
  );
  await writeFile(shared, linesOf(known));
  if (rows.length === 0 && known.length === 0) throw new E8Error("no_tasks", { directory });
  for (let at = 0; at < rows.length; at += BATCH)
    await writeTasks({ database, directory, project }, place, rows.slice(at, at + BATCH));
  const own = rows.map(({ task_id }) => ({ task_id: String(task_id), path: pathsOf(place, task_id).knowledge }));
  return {
    tasks: tasksDirectory(place),
    knowledge: [...own, { task_id: null, path: shared }],
    holders: rows.flatMap(holderIn),
  };
}

/** Tasks whose records are in memory at once. */
const BATCH = 100;

async function writeTasks({ database }: ProjectPart, place: string, rows: readonly Row[]): Promise<void> {
  const ids = rows.map(({ task_id }) => String(task_id));
  const hidden = new Map<string, ReadonlySet<number>>();
  for (const { task_id, doc } of rows) {
    const task = Task.safeParse(JSON.parse(String(doc))).data;
    if (task) hidden.set(String(task_id), hiddenIds(task.configuration.criteria));
    await mkdir(taskDirectoryOf(place, String(task_id)));
    await writeFile(pathsOf(place, task_id).task, task ? JSON.stringify(publicTask(task)) : String(doc));
  }
  for (const [table, name, order] of [
    ["record", "history", "seq"],
    ["spending", "ledger", "seq"],
    ["knowledge", "knowledge", "number"],
  ] as const) {
    const sql = `select task_id, doc::text from e8.${table} where task_id = any($1) order by task_id, ${order}`;
    for (const [id, lines] of byTask(await database.ask(sql, [ids])))
      await appendFile(
        pathsOf(place, id)[name],
        linesOf(table === "record" ? lines.map((one) => publicRow(one, hidden)) : lines),
      );
  }
}

/** Without the output of hidden checks, which a question about files does not see either. */
function publicRow(row: Row, hidden: ReadonlyMap<string, ReadonlySet<number>>): Row {
  const ids = hidden.get(String(row.task_id));
  const record = ids?.size ? HistoryRecord.safeParse(JSON.parse(String(row.doc))).data : undefined;
  return ids && record ? { doc: storedJson(publicRecord(record, ids)) } : row;
}

function byTask(rows: readonly Row[]): Map<string, Row[]> {
  const tasks = new Map<string, Row[]>();
  for (const row of rows) {
    const id = String(row.task_id);
    const known = tasks.get(id);
    if (known) known.push(row);
    else tasks.set(id, [row]);
  }
  return tasks;
}

function linesOf(rows: readonly Row[]): string {
  return rows.map(({ doc }) => `${doc}\n`).join("");
}

function holderIn({ task_id, was_held, held_since, is_alive, is_paused }: Row): TaskData["holders"][number][] {
  if (!was_held) return [];
  const held = { is_alive: is_alive === true, is_paused: is_paused === true };
  return [{ task_id: String(task_id), since: String(held_since), ...held }];
}

function pathsOf(place: string, id: unknown) {
  return taskPaths(taskDirectoryOf(place, String(id)));
}
