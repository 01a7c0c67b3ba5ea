import type { BrokenTask, TaskOverview, TaskPast } from "../connection/ports/task-store.ts";
import { storeOf } from "./store.ts";

/** For commands that only read. Loads no agent, and DuckDB only for a query. */
export function overviews(project: string): Promise<(TaskOverview | BrokenTask)[]> {
  return storeOf(project).overviews();
}

export function readPast(project: string, id: string): Promise<TaskPast> {
  return storeOf(project).past(id);
}

export { type QueryAnswer, queryTasks } from "../connection/queries/query-tasks.ts";
export { VIEWS } from "../connection/queries/task-tables.ts";
export { type LogLine, logLines } from "./log-lines.ts";
export { findTask } from "./store.ts";
