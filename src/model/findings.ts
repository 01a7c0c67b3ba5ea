import type { E8Error } from "./errors.ts";
import type { Statement } from "./message.ts";

/** The parts of a machine that `e8 doctor` checks. */
export type CheckName =
  | "node"
  | "git"
  | "shell"
  | "sandbox"
  | "claude"
  | "login"
  | "keys"
  | "agents"
  | "mcp"
  | "records"
  | "disk"
  | "duckdb"
  | "task";

/** `problem` keeps a run from working; `warning` makes it worse. */
export type FindingState = "ok" | "warning" | "problem";

/** What `e8 doctor` can find, by code, with the values it is about. */
export interface FindingParams {
  node_ok: { version: string };
  node_old: { version: string; needed: string };
  git_ok: { version: string };
  git_missing: object;
  shell_ok: { version: string };
  shell_plain: object;
  sandbox_ok: { adapter: string; levels: string };
  /** It works, and bubblewrap would start sooner. */
  sandbox_slower: { adapter: string; levels: string };
  sandbox_none: { problem: Statement };
  claude_ok: { version: string; path: string };
  claude_missing: { wanted: string };
  claude_broken: { path: string; problem: string };
  login_ok: { method: string };
  key_untried: { source: string };
  provider_untried: { provider: string };
  login_missing: { program: string };
  login_unknown: { problem: string; program: string };
  /** `install`: what a user types. */
  acp_absent: { title: string; program: string; install: string };
  acp_ok: { title: string; version: string; path: string };
  acp_broken: { title: string; path: string; problem: Statement };
  acp_key_untried: { title: string; source: string };
  acp_login_found: { title: string; file: string };
  /** Its settings choose a provider of models that takes no key. */
  acp_login_needless: { title: string; file: string };
  /** `command` is empty where no command logs in. */
  acp_login_missing: { title: string; command: string; variables: readonly string[] };
  /** `ways`: names of the ways to log in, as the agent calls them. */
  acp_login_unknown: { title: string; ways: string };
  /** `source` is empty where no key is set, and none may be needed. */
  api_key_ok: { model: string; source: string };
  package_missing: { model: string; package: string };
  api_key_missing: { model: string; variable: string };
  mcp_none: object;
  mcp_ok: { servers: string };
  mcp_program_missing: { server: string; program: string };
  mcp_left_out: { servers: string };
  mcp_undefined: { server: string };
  records_ok: { path: string };
  records_unwritable: { path: string; problem: Statement };
  disk_ok: { free: string };
  disk_low: { free: string };
  disk_full: { free: string };
  duckdb_ok: { version: string };
  duckdb_broken: { problem: string };
  task_ok: { file: string };
  settings_ok: object;
  settings_broken: { error: E8Error };
  pipe_hides_exit: { command: string };
}

export type FindingCode = keyof FindingParams;

export interface Finding {
  check: CheckName;
  state: FindingState;
  code: FindingCode;
  details: object;
}

export function finding<C extends FindingCode>(
  [check, state]: readonly [CheckName, FindingState],
  code: C,
  details: FindingParams[C],
): Finding {
  return { check, state, code, details };
}
