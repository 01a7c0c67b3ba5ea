/** What the commands that only look need: nothing here loads an agent, and DuckDB is loaded when a query is asked. */
export { type QueryAnswer, queryTasks } from "../connection/queries/query-tasks.ts";
export { VIEWS } from "../connection/queries/task-tables.ts";
export { overviews } from "../connection/stores/files/overview.ts";
export { rawLogLines } from "../connection/stores/files/raw-log-lines.ts";
export { latestTask } from "../connection/stores/files/task-directory.ts";
export { readPast } from "../connection/stores/files/task-past.ts";
