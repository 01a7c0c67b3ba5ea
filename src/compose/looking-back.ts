import type { BrokenTask, EventRequest, TaskOverview, TaskPast } from "../connection/ports/task-store.ts";
import type { QueryReader } from "../connection/queries/query-tasks.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { TaskId } from "../model/task.ts";
import { databaseOf, storeOf } from "./store.ts";

/** For commands that only read. Loads no agent, and DuckDB only for a query. */
export function overviews(project: string, ids?: readonly TaskId[]): Promise<(TaskOverview | BrokenTask)[]> {
  return storeOf(project).overviews(ids);
}

/** Of all tasks, oldest first. */
export function taskIds(project: string): Promise<TaskId[]> {
  return storeOf(project).list();
}

/** Calls back with each task that stands differently now, as its run begins or ends. Returns how to stop. */
export function watchTasks(project: string, changed: (id: TaskId) => void): () => void {
  return storeOf(project).watch(changed);
}

/** The stored events of a task; with `follow`, those of its present run, too. */
export function eventsOf(project: string, id: string, request: EventRequest): AsyncGenerator<EventEnvelope> {
  return storeOf(project).events(id, request);
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
