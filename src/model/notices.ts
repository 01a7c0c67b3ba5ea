import type { Role } from "./roles.ts";
import { counted, type Statement, wordsIn } from "./statement.ts";

/** Things a user should know that end nothing. English here; other languages are the surfaces' business. */
export const noticeTexts = {
  torn_line: (d: { file: string; bytes: number }) =>
    `${d.file} ended in an incomplete record (${d.bytes} bytes), probably from a power cut or a full disk. It was dropped.`,
  records_restored: (d: { file: string }) =>
    `${d.file} was changed while the task was running, and not by endless8: perhaps by the worker. It was put back as it was.`,
  unreadable_lines: (d: { file: string; lines: number }) =>
    `Passed over ${counted(d.lines, "unreadable line")} in ${d.file}.`,
  file_left_out: (d: { file: string; problem: Statement }) =>
    `Passed over ${d.file}, which cannot be read: ${wordsIn("en", d.problem)}.`,
  raw_log_unwritable: (d: { file: string; problem: Statement }) =>
    `${d.file} could not be written: ${wordsIn("en", d.problem)}. The raw log is not complete; the run goes on.`,
  copy_unwritable: (d: { file: string; problem: Statement }) =>
    `${d.file} could not be written: ${wordsIn("en", d.problem)}. How the run ended stands in the task's own history.`,
  history_scanned: (d: { problem: string }) =>
    `DuckDB could not be used (${d.problem}). The history was read line by line instead; nothing is missing.`,
  mcp_left_out: (d: { servers: string }) =>
    `MCP servers of .mcp.json that you have not approved were not started: ${d.servers}. Name them in mcp_servers to use them.`,
  mcp_failed: (d: { server: string }) => `MCP server ${d.server} could not be started; the agent works without it.`,
  orphans_ended: (d: { count: number }) => `${d.count} process(es) left over from an earlier run were ended.`,
  completed_before: (_: object) =>
    "The task was completed before; nothing was run or checked again. A new task looks again.",
  judged_again: (d: { iteration: number }) =>
    `Iteration ${d.iteration} was judged complete, but that run was cut off before it could end. It is judged again: what its worker wrote may have been lost.`,
  definition_changed: (d: { name: string; files: string }) =>
    `The agent ${d.name} is not what it was when this task began (${d.files}). It goes on as it is now: see that its conditions are still yours.`,
  definition_changed_during: (d: { name: string; files: string }) =>
    `Files of the agent ${d.name} were changed while it ran (${d.files}). The next run goes by what they are now: see that its conditions are still yours.`,
  played_again: (d: { script: string }) =>
    `The model is scripted, as before: its answers come from ${d.script}, from the beginning, and not from a language model.`,
  scripted_agent: (d: { story: string }) =>
    `The agent is scripted: what it says and does comes from ${d.story}, and not from a language model.`,
  asked_again: (d: { role: Role; problem: Statement }) =>
    `The ${d.role}'s answer could not be used (${wordsIn("en", d.problem)}); asking again.`,
  role_failed: (d: { role: Role; problem: Statement }) =>
    `The ${d.role} gave no usable answer: ${wordsIn("en", d.problem)}.`,
  summary_mechanical: (d: { problem: Statement }) => `The summary was made mechanically: ${wordsIn("en", d.problem)}.`,
  intake_ignored: (d: { problem: Statement }) =>
    `The intake's rewording was set aside: ${wordsIn("en", d.problem)}. Your own words stand.`,
  context_cut: (d: { entries: number }) => `To keep the prompt small, ${d.entries} old entries were left out.`,
  cost_unknown: (d: { model: string }) =>
    `What ${d.model} costs is not known: its tokens count, its cost does not. Give its price under prices to hold it to the cost budget.`,
  pipe_hides_exit: (d: { command: string }) =>
    `\`${d.command}\` has a pipe: only the last command's exit code counts. Set \`pipefail: true\` on the criterion.`,
} as const;

export type NoticeCode = keyof typeof noticeTexts;
export type NoticeDetails<C extends NoticeCode> = Parameters<(typeof noticeTexts)[C]>[0];
export type Notice = { [C in NoticeCode]: { code: C; details: NoticeDetails<C>; text: string } }[NoticeCode];

export function notice<C extends NoticeCode>(code: C, details: NoticeDetails<C>): Notice {
  const text = (noticeTexts[code] as (d: NoticeDetails<C>) => string)(details);
  return { code, details, text } as Notice;
}
