import { counted, type NoticeTexts } from "../message-texts.ts";
import { enAbilities } from "./abilities.ts";
import { enDatabaseNotices } from "./databases.ts";
import { enTamperingNotices } from "./tampering.ts";

export const enNotices: NoticeTexts = {
  ...enDatabaseNotices,
  ...enTamperingNotices,
  torn_line: (d) =>
    `${d.file} ended in an incomplete record (${d.bytes} bytes), probably from a power cut or a full disk. It was dropped.`,
  records_restored: (d) =>
    `${d.file} was changed while the task was running, and not by endless8: perhaps by the worker. It was put back as it was.`,
  unreadable_lines: (d) => `Skipped ${counted(d.lines, "unreadable line")} in ${d.file}.`,
  file_left_out: (d, tell) => `Skipped ${d.file}, which cannot be read: ${tell(d.problem)}.`,
  raw_log_unwritable: (d, tell) =>
    `${d.file} could not be written: ${tell(d.problem)}. The raw log is not complete; the run goes on.`,
  copy_unwritable: (d, tell) =>
    `${d.file} could not be written: ${tell(d.problem)}. The task's own history has the result of the run.`,
  history_scanned: (d) =>
    `DuckDB could not be used (${d.problem}). The history was read line by line instead; nothing is missing.`,
  mcp_left_out: (d) =>
    `MCP servers of .mcp.json that you have not approved were not started: ${d.servers}. Name them in mcp_servers to use them.`,
  mcp_failed: (d) => `MCP server ${d.server} could not be started; the agent works without it.`,
  criteria_added: (d) =>
    `The criteria of ${d.file} (${d.count}) and of the command line (${d.added} more) all count. --only leaves out the file's.`,
  going_on: (d) =>
    `Going on with task ${d.id}: ${d.file} has its records, it is the same task with the same criteria, and it is not finished. --fresh starts anew.`,
  criteria_replaced: (d) =>
    `The criteria of ${d.file} (${d.count}) are left out: only those of the command line count.`,
  orphans_ended: (d) => `Processes left over from an earlier run were ended: ${d.count}.`,
  sandbox_missing: (d, tell) =>
    `Worker and checks run without a sandbox: ${tell(d.problem)}. \`e8 doctor\` says how to get one.`,
  completed_before: "The task is already completed; nothing was run or checked again. Start a new task to check again.",
  judged_again: (d) =>
    `Iteration ${d.iteration} was judged complete, but that run was cut off before it could end. It is judged again, because the worker's changes may have been lost.`,
  definition_changed: (d) =>
    `The agent ${d.name} has changed since this task began (${d.files}). The run uses it as it is now; check that its completion conditions are still what you want.`,
  definition_changed_during: (d) =>
    `Files of the agent ${d.name} were changed while it ran (${d.files}). The next run uses the changed files; check that its completion conditions are still what you want.`,
  played_again: (d) =>
    `The model is scripted, as before: its answers come from ${d.script}, played from the beginning, not from a language model.`,
  scripted_agent: (d) =>
    `The agent is scripted: what it says and does comes from ${d.story}, and not from a language model.`,
  asked_again: (d, tell) => `The ${d.role}'s answer could not be used (${tell(d.problem)}); asking again.`,
  role_failed: (d, tell) => `The ${d.role} gave no usable answer: ${tell(d.problem)}.`,
  summary_mechanical: (d, tell) => `The summary was made without a model: ${tell(d.problem)}.`,
  intake_ignored: (d, tell) => `The intake's rewording was set aside: ${tell(d.problem)}. Your own words stand.`,
  notes_unread: ({ count, is_over }) => {
    const them = count === 1 ? "it" : "them";
    const next = is_over
      ? "The task is completed: start a new one with what is left."
      : `A resumed run passes ${them} on.`;
    return `No worker has read ${counted(count, "note")} of yours: none began after you left ${them}. ${next}`;
  },
  telemetry_failed: (d) => `Traces or metrics did not arrive where OTEL_EXPORTER_OTLP_ENDPOINT says: ${d.problem}.`,
  notification_failed: (d, tell) => `You could not be notified (notify.${d.channel}): ${tell(d.problem)}.`,
  context_cut: (d) => `To keep the prompt small, ${d.entries} old entries were left out.`,
  context_large: (d) =>
    `Iteration ${d.iteration} used ${d.tokens.toLocaleString("en")} tokens, more than the ${d.limit.toLocaleString("en")} that a worker's context should stay under. Smaller steps or narrower tools help.`,
  cost_unknown: (d) =>
    `The price of ${d.model} is unknown: its tokens are counted, its cost is not. Give its price under prices so that the cost budget covers it.`,
  agent_lacks: ({ agent, abilities }) =>
    `${agent} is not known to ${either(abilities.map((ability) => enAbilities[ability]))}. docs/other-agents.md says what endless8 does instead.`,
  agent_closed_in: (d) =>
    `endless8 does not know the files and hosts of ${d.agent}: in the strict sandbox it can write only the project, caches such as ~/.cache, and temporary files, and reach only the hosts of sandbox_hosts (--allow-host). If it keeps files elsewhere, let its own variables put them into a cache (agent.acp.env), or use --sandbox contain.`,
  agent_ignores: (d) => `${d.agent} cannot use ${d.keys}: it works without.`,
  agent_price_unknown: (d) =>
    `${d.agent} counts its tokens, but not what they cost: the cost budget cannot hold it. Give the price of its model under prices (${d.model}: {input: …, output: …}), or set --max-tokens or --max-time.`,
  agent_cost_unknown: (d) =>
    `${d.agent} may not say what it costs. What it does not say is shown as unknown, and the cost budget cannot hold it; set --max-time as well.`,
  agent_tokens_unknown: (d) =>
    `${d.agent} may not say how many tokens it takes. What it does not say is shown as unknown, and the token budget cannot hold it; set --max-time as well.`,
  credentials_withheld: (d) =>
    `Worker and checks do not get these credentials: ${d.names}. --pass-credentials hands one of them on.`,
  worktree_cleared: (d) => `The worktree ${d.path} is removed, and with it files that git ignores: ${d.ignored}.`,
  worktree_stays: (d, tell) =>
    `The work is on branch ${d.branch} in ${d.path}${d.problem ? `: ${tell(d.problem)}` : ""}. To merge it: git merge ${d.branch}`,
  work_on_remote: (d, tell) =>
    `The work has not landed${d.problem ? `: ${tell(d.problem)}` : ""}. To get it: git fetch ${d.repository} ${d.ref}`,
  pipe_hides_exit: (d) =>
    `\`${d.command}\` has a pipe: only the last command's exit code counts. Set \`pipefail: true\` on the criterion.`,
};

/** Made when it is needed: the first one of a process takes 10 ms. */
function either(words: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(words);
}
