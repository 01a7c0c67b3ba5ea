import type { BrokenTask, RawLine, RawLogRequest, TaskOverview, TaskPast } from "../connection/ports/task-store.ts";
import { storeOf } from "./store.ts";

/** What the commands that only look need: nothing here loads an agent, and DuckDB is loaded when a query is asked. */
export function overviews(project: string): Promise<(TaskOverview | BrokenTask)[]> {
  return storeOf(project).overviews();
}

export function readPast(project: string, id: string): Promise<TaskPast> {
  return storeOf(project).past(id);
}

export function rawLogLines({
  project,
  id,
  ...request
}: RawLogRequest & { project: string; id: string }): AsyncGenerator<RawLine> {
  return storeOf(project).rawLog(id, request);
}

export { type QueryAnswer, queryTasks } from "../connection/queries/query-tasks.ts";
export { VIEWS } from "../connection/queries/task-tables.ts";
export { latestTask } from "./store.ts";
