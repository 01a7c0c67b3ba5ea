import type { ErrorCode } from "../model/errors.ts";

const STATUS: Partial<Record<ErrorCode, 400 | 401 | 403 | 404 | 409>> = {
  dashboard_nothing: 404,
  task_not_found: 404,
  project_missing: 404,
  snapshot_missing: 404,
  events_missing: 404,
  no_tasks: 404,
  task_locked: 409,
  task_is_running: 409,
  task_not_running: 409,
  task_not_paused: 409,
  task_completed: 409,
  task_taken: 409,
  place_taken: 409,
  answered_elsewhere: 409,
  nothing_to_answer: 409,
  changes_unaccepted: 409,
  dashboard_run: 409,
  dashboard_elsewhere: 409,
};

/** The HTTP status of an error. What a user can do something about is never the server's own failure. */
export function statusOf(error: { code: ErrorCode; details: object }): 400 | 401 | 403 | 404 | 409 | 500 {
  if (error.code === "dashboard_refused") return "why" in error.details && error.details.why === "login" ? 401 : 403;
  return error.code === "internal" ? 500 : (STATUS[error.code] ?? 400);
}
