import type { Statement } from "../message.ts";

/** How a process ended: by a signal, or with an exit code. */
type End = { signal: string } | { exit_code: number | null };

/** What agents, their models and their programs did, or could not do. */
export interface AgentMessages {
  acp_command_missing: object;
  acp_mode_unknown: { title: string; mode: string; known: readonly string[] };
  acp_model_unknown: { title: string; model: string; known: readonly string[] };
  /** `command`: what a user types to log in, where that is known. */
  acp_not_logged_in: { title: string; said: string; command: string };
  acp_not_started: { title: string; said: string };
  acp_overspent: { most: number };
  /** The versions of the protocol. */
  acp_other_version: { title: string; spoken: number; ours: number };
  /** `install`: what a user types, where that is known. */
  acp_program_missing: { title: string; program: string; install: string };
  acp_refused: { title: string; said: string };
  acp_server_unreachable: { title: string; server: string; type: string };
  acp_stopped: { reason: string };
  acp_write_outside: { path: string };
  agent_silent: { seconds: number };
  agent_still_working: { seconds: number };
  answer_cut_off: object;
  answer_too_large: { megabytes: number };
  claude_ended: End;
  denied_by_settings: object;
  executable_missing: { executable: string };
  login_refused: object;
  mcp_server_missing: { server: string };
  model_broke_off: { reason: string };
  model_failed: { model: string; problem: Statement };
  model_refused: { reason: string };
  no_json: object;
  /** `status`: the HTTP status, where it says that something is wrong. */
  no_reason_given: { status: number | null };
  nothing_asked: object;
  policy_undecided: { problem: Statement };
  /** `said`: the end of its stderr. */
  program_ended: End & { program: string; said: string };
  proxy_unusable: object;
  several_answers: object;
  skills_missing: { path: string };
  whole_story: object;
  worker_away: { worker: string };
}
