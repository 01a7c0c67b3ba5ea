import type { Ability } from "./abilities.ts";
import type { LeafChange } from "./leaf-changes.ts";
import type { Statement } from "./message.ts";
import type { NotifyChannel } from "./notification.ts";
import type { Role } from "./roles.ts";

/** Facts that the user should know but that do not end a run, by code, with their values. */
export interface NoticeParams {
  /** `missing`: records that were changed or removed. */
  records_rewritten: { file: string; added: number; missing: number };
  task_changed: { id: string; changes: readonly LeafChange[] };
  task_change_accepted: { id: string; changes: readonly LeafChange[] };
  /** `before`: the snapshot of the files that were there. `left_out`: files that no snapshot holds; the first of them. */
  forked: {
    id: string;
    iteration: number;
    before: string;
    left_out?: { count: number; files: readonly string[] };
  };
  task_in_future: { id: string };
  task_unverified: { id: string };
  vault_unwritable: { path: string; problem: Statement };
  torn_line: { file: string; bytes: number };
  records_restored: { file: string };
  unreadable_lines: { file: string; lines: number };
  file_left_out: { file: string; problem: Statement };
  raw_log_unwritable: { file: string; problem: Statement };
  copy_unwritable: { file: string; problem: Statement };
  history_scanned: { problem: string };
  mcp_left_out: { servers: string };
  mcp_failed: { server: string };
  /** `count`: those of the file. */
  criteria_added: { file: string; count: number; added: number };
  /** `file`: that of `persist`, which has the task's records. */
  going_on: { id: string; file: string };
  criteria_replaced: { file: string; count: number };
  orphans_ended: { count: number };
  completed_before: object;
  /** A sandbox was asked for, or is the default, and cannot be had. */
  sandbox_missing: { problem: Statement };
  judged_again: { iteration: number };
  definition_changed: { name: string; files: string };
  definition_changed_during: { name: string; files: string };
  played_again: { script: string };
  scripted_agent: { story: string };
  asked_again: { role: Role; problem: Statement };
  role_failed: { role: Role; problem: Statement };
  summary_mechanical: { problem: Statement };
  intake_ignored: { problem: Statement };
  /** Notes of the user that came after the last worker had begun. */
  /** `is_over`: the task is completed, so no worker will read them. */
  notes_unread: { count: number; is_over: boolean };
  telemetry_failed: { problem: string };
  notification_failed: { channel: NotifyChannel; problem: Statement };
  context_cut: { entries: number };
  context_large: { iteration: number; tokens: number; limit: number };
  cost_unknown: { model: string };
  /** What is not with this agent as with Claude Code. */
  agent_lacks: { agent: string; abilities: readonly Ability[] };
  /** Nothing but the project is open to it in a strict sandbox: endless8 does not know what it writes and reaches. */
  agent_closed_in: { agent: string };
  /** Settings that have no effect on this agent. */
  agent_ignores: { agent: string; keys: string };
  /** The agent counts its tokens, and their price is not known. */
  agent_price_unknown: { agent: string; model: string };
  /** The agent may report neither tokens nor cost. */
  agent_cost_unknown: { agent: string };
  agent_tokens_unknown: { agent: string };
  /** `ignored`: files that git ignores and that went with the worktree. */
  worktree_cleared: { path: string; ignored: string };
  worktree_stays: { path: string; branch: string; base: string; problem?: Statement };
  /** A fleet's checkout is gone at the end of the run; the remote has the work. `ref`: there. */
  work_on_remote: { repository: string; ref: string; problem?: Statement };
  /** The database of the store was away for so long; the run waited. */
  store_back: { seconds: number };
  pipe_hides_exit: { command: string };
  credentials_withheld: { names: string };
}

export type NoticeCode = keyof NoticeParams;
export type NoticeOf<C extends NoticeCode> = { [K in C]: { code: K; params: NoticeParams[K] } }[C];
export type Notice = NoticeOf<NoticeCode>;

export function notice<C extends NoticeCode>(code: C, params: NoticeParams[C]): NoticeOf<C> {
  return { code, params } as NoticeOf<C>;
}
