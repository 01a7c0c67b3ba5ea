import type { BrokenTask, TaskOverview, TaskPast } from "../connection/ports/task-store.ts";
import type { QueryReader } from "../connection/queries/query-tasks.ts";
import { databaseOf, storeOf } from "./store.ts";

/** For commands that only read. Loads no agent, and DuckDB only for a query. */
export function overviews(project: string): Promise<(TaskOverview | BrokenTask)[]> {
  return storeOf(project).overviews();
}

export function readPast(project: string, id: string): Promise<TaskPast> {
  return storeOf(project).past(id);
}

/** Passes the answer to one SQL question about the project's tasks to `read`. */
export async function queryTasks(project: string, sql: string, reader: QueryReader): Promise<void> {
  const database = databaseOf(project);
  if (!database) return (await import("../connection/queries/query-tasks.ts")).queryTasks(project, sql, reader);
  const { queryDatabase } = await import("../connection/queries/query-database.ts");
  return queryDatabase(database.part, sql, reader);
}

export type { QueryAnswer } from "../connection/queries/query-tasks.ts";
export { VIEWS } from "../connection/queries/task-tables.ts";
export { type LogLine, logLines } from "./log-lines.ts";
export { findTask } from "./store.ts";
