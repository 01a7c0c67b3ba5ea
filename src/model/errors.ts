import type { AgentLogin } from "./agent.ts";
import type { DefinitionProblem } from "./flow/problem.ts";
import type { StepCapability } from "./flow/step-needs.ts";
import type { LeafChange } from "./leaf-changes.ts";
import type { Statement } from "./message.ts";

/** Every error a user can meet, by code, with the values it is about. Its sentences stand in `src/texts`. */
export interface ErrorParams {
  file_not_found: { path: string };
  file_unreadable: { path: string; problem: Statement };
  file_is_directory: { path: string };
  file_exists: { path: string };
  yaml_broken: { file: string; problem: Statement };
  file_too_large: { path: string; limit: Statement };
  configuration_invalid: { file: Statement; problems: Statement };
  environment_invalid: { variable: string; problem: Statement };
  flag_invalid: { flag: string; problem: Statement; command?: string };
  deadline_past: { value: string };
  strict_unavailable: { problem: Statement };
  /** `place`: the task file, with the line where it has the key. */
  task_empty: { place?: string | undefined };
  task_is_file: { file: string };
  criteria_missing: { place?: string | undefined };
  files_unmatched: { files: string };
  files_too_many: { files: string; count: number; limit: number };
  project_missing: { path: string };
  project_not_directory: { path: string };
  no_permission: { path: string };
  disk_full: { path: string };
  write_failed: { path: string; problem: Statement };
  /** `all`: nothing of the task is left. */
  records_lost: { path: string; problem: Statement; all?: boolean };
  agent_exists: { path: string };
  output_lost: { problem: string };
  task_id_invalid: { id: string };
  task_not_found: { id: string };
  /** `id`: what was typed; absent where a command looked for the only task itself. */
  task_ambiguous: { id?: string; candidates: readonly { id: string; task: string }[] };
  nothing_running: { directory: string };
  nothing_asked: { directory: string };
  no_tasks: { directory: string };
  /** `lock` is given when the holder is on another machine, where we cannot see whether it is alive. */
  /** Another process works through the project's backlog. */
  backlog_taken: { who: Statement; since: string; lock?: string };
  /** A file that workflow.json has for the next agent. */
  handover_impossible: { id: string; problem: Statement };
  task_locked: { id: string; who: Statement; since: string; lock?: string };
  /** `project` is given where the running task is another project's, `lock` as in `task_locked`. */
  place_taken: { directory: string; id: string; project?: string; who: Statement; since: string; lock?: string };
  branch_impossible: { problem: Statement };
  /** With `--proof clean`, and for a reason that no worker can put right. */
  clean_room_missing: { problem: Statement };
  worktree_setup_failed: { command: string; problem: Statement; output: string };
  branch_taken: { branch: string; id: string; who: Statement; since: string; lock?: string };
  /** `has_lapsed`: this run had shown no life for longer than its lease. */
  task_taken: { id: string; who: Statement; since: string; has_lapsed?: boolean };
  task_file_broken: { path: string; problem: Statement };
  task_unknown: { id: string };
  /** `id`: the task whose worker has changed them. */
  changes_unaccepted: { id: string; files: readonly string[]; changes: readonly LeafChange[] };
  task_copy_lost: { id: string };
  fork_of_flow: { id: string };
  hidden_check_lost: { id: string };
  task_not_running: { id: string };
  task_not_paused: { id: string };
  task_is_running: { id: string };
  snapshot_missing: { id: string; iteration: number };
  range_invalid: { range: string };
  rollback_failed: { problem: Statement };
  task_completed: { id: string };
  note_empty: object;
  note_too_long: { length: number; limit: number };
  nothing_to_answer: { id: string };
  /** `count`: the open questions. */
  answered_elsewhere: { id: string; who: Statement; since: string; count: number };
  answer_not_offered: { answer: string; question: string; choices: readonly string[] };
  answers_missing: { id: string; count: number };
  /** `variable` is given when a model was asked over its API, `login` when an agent was that logs in in its own way. */
  authentication: { message: Statement; variable?: string; login?: AgentLogin };
  /** An optional package of a provider. */
  package_missing: { model: string; package: string };
  api_key_missing: { model: string; roles: string; variable: string };
  proxy_refused: { proxy: string; address: string; status: number };
  billing: { message: Statement };
  /** Branch and worktree stay, because what is in them could not be kept otherwise. */
  branch_kept: { path: string; branch: string; problem: Statement };
  comparison_impossible: { problem: Statement };
  comparison_missing: { id?: string };
  /** `found`: how many agents fit what was typed. */
  comparison_choice: { choice: string; found: number; known: readonly string[] };
  comparison_unfit: { number: number; agent: string; id: string; status: string; comparison: string };
  comparison_runs: { number: number; agent: string; id: string };
  review_unusable: { model: string; problem: Statement };
  agent_configuration: { message: Statement };
  unreachable: { message: Statement; hours: number };
  placeholder_unfilled: { file: string; name: string };
  /** `file` is given when the project has no tracker: the issue could be written there. `again`: the command to repeat, if it is not a run. */
  tracker_failed: { what: Statement; problem: Statement; file?: string; again?: string };
  module_broken: { path: string; problem: Statement };
  agent_not_found: { name: string; directory: string; known: string };
  no_agents: { directory: string };
  /** The run's own agent lacks what these steps need. */
  flow_agent_unfit: { agent: string; lacks: readonly { step: string; capability: StepCapability }[] };
  /** Tool calls of the agent cannot be refused, and there is no sandbox. */
  step_agent_unbound: { step: string; agent: string; problem: Statement };
  definition_invalid: { name: string; problems: readonly DefinitionProblem[] };
  workflow_missing: { path: string };
  workflow_invalid: { path: string; problems: readonly DefinitionProblem[] };
  parameter_invalid: { flag: string; problem: Statement; agent?: string };
  flow_failed: { code: string; step: string; iteration: number; problem: Statement; recoverable: boolean };
  raw_log_off: { id: string };
  raw_log_empty: { id: string };
  iteration_not_logged: { id: string; iteration: number; known: string };
  events_missing: { id: string };
  query_failed: { problem: string };
  query_not_reading: object;
  query_not_one: object;
  story_broken: { file: string; problems: Statement };
  /** `store`: the database's name, without secrets. */
  store_url_invalid: { problem: Statement };
  store_secret_in_file: { file: string };
  store_driver_missing: object;
  store_not_made: { store: string };
  /** `made`, `known`: the numbers of the schema there, and of the latest that this version knows. */
  store_older: { store: string; made: number; known: number };
  store_newer: { store: string; made: number; known: number };
  store_unreachable: { store: string; problem: string };
  store_refused: { store: string; problem: string };
  store_forbidden: { store: string; problem: string };
  store_failed: { store: string; problem: string };
  store_missing: { command: string };
  queue_package_missing: object;
  queue_not_made: { store: string };
  task_in_line: { id: string };
  task_not_in_line: { id: string };
  /** `limit`: what is tolerated; both in seconds. */
  clocks_differ: { store: string; seconds: number; limit: number };
  /** `repository`: its URL, without secrets. `said`: git's own words. */
  repository_url_invalid: { problem: Statement };
  remote_unreachable: { repository: string; said: string };
  remote_base_missing: { repository: string; base: string };
  snapshot_elsewhere: { repository: string; id: string; directory: string };
  snapshot_lost: { repository: string; id: string; commit: string };
  snapshot_refused: { repository: string; id: string; ref: string; said: string };
  /** Limits that the owner of the store has set. */
  fleet_limit_reached: { kind: string; name: string; limit: number };
  fleet_budget_spent: { project: string };
  /** What a task for a fleet must not have; `id`: of one that was given already. */
  task_refused: { id?: string; problems: Statement };
  /** What this machine's list does not allow. */
  task_not_allowed: { id: string; problems: Statement };
  /** A fleet's tasks are strangers' programs. */
  sandbox_needed: { problem: Statement };
  /** It names no repository that other machines could work on. */
  task_stays: { id: string; directory: string };
  place_unusable: { path: string; problem: Statement };
  task_exists: { id: string; place: string };
  /** `host`, `origin`: a page of another site has asked. `login`: no cookie, or an old one. */
  dashboard_refused: { why: "host" | "origin" | "login" | "read_only" };
  dashboard_request: { problem: string };
  dashboard_nothing: { path: string };
  dashboard_port: { host: string; port: number; problem: string };
  dashboard_unbuilt: { path: string };
  /** A run that the page wanted has not begun. Both are sentences of the process that tried it. */
  dashboard_run: { problem: string; hint: string };
  /** What was asked for needs files of a project that is on other machines. */
  dashboard_elsewhere: { project: string };
  directory_gone: object;
  /** `said`: on its standard error, in the reader's language. */
  run_not_started: { said: string };
  /** Of several ways to say what to run, not exactly one was used. */
  task_choice: object;
  port_taken: { port: number; problem: string };
  /** A program that may start runs in `roots` alone asks for one elsewhere. */
  project_not_allowed: { path: string; roots: readonly string[] };
  story_missing: { id: string; path: string };
  internal: { message: string };
}

export type ErrorCode = keyof ErrorParams;

/**
 * The one error class that users meet. Anything else that reaches the CLI is a bug. Surfaces make a sentence of code and details;
 * `message` is for developers until the error leaves the library, which gives it an English message and a hint.
 */
export class E8Error<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorParams[C];
  /** What to do about it. Set where the error leaves the library. */
  declare hint?: string;

  constructor(code: C, details: ErrorParams[C], options?: ErrorOptions) {
    super(`${code} ${JSON.stringify(details)}`, options);
    this.name = "E8Error";
    this.code = code;
    this.details = details;
  }
}

/** An error's own `problem`, or its message. */
export function problemOf(error: unknown): Statement {
  const details = (error instanceof E8Error ? error.details : {}) as object;
  if ("problem" in details) return details.problem as Statement;
  return error instanceof Error ? error.message : String(error);
}

/** Turns anything thrown into an E8Error, so that every surface has one kind to show. */
export function asE8Error(error: unknown): E8Error {
  if (error instanceof E8Error) return error;
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")
    return new E8Error("directory_gone", {}, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new E8Error("internal", { message }, { cause: error });
}
