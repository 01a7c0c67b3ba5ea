import type { Gathered } from "../connection/ports/branch.ts";
import type { Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { type Message, message } from "../model/message.ts";
import { type NoticeOf, notice } from "../model/notices.ts";
import type { RunState } from "../model/state.ts";
import { commitWords } from "./landing.ts";
import type { RunContext } from "./run-context.ts";

/** Prepares a new worktree, once: it has only what git has, and the files that were copied. */
export async function setUpWorktree(context: RunContext, { iterations }: RunState): Promise<void> {
  const { ports, configuration, signal } = context;
  const { place } = ports.store.task;
  if (!ports.machine && (!place || place.is_set_up)) return;
  for (const command of commandsToSetUp(configuration)) await setUp(context, command);
  if (signal.aborted) return;
  if (place) await ports.store.save({ place: { ...place, is_set_up: true } });
  if (iterations > 0 && configuration.proof !== "none") await ports.workspace.keepIgnored(); // the first machine's are not here
}

export function commandsToSetUp({ worktree, setup }: Configuration): readonly string[] {
  return worktree.setup === null ? setup : [worktree.setup];
}

async function setUp({ ports, configuration, signal }: RunContext, command: string): Promise<void> {
  const seconds = configuration.setup_timeout;
  const outcome = await ports.commands.run({ command, timeout_seconds: seconds, pipefail: true }, signal);
  if (signal.aborted || outcome.exit_code === 0) return;
  const limit = { seconds, setting: "--setup-timeout" } as const;
  const ended = outcome.timed_out
    ? message("command_timed_out", { limit })
    : message("command_exited", { exit_code: outcome.exit_code });
  const problem = outcome.start_error ?? ended;
  throw new E8Error("worktree_setup_failed", { command, problem, output: outcome.output_tail });
}

/** Removes the worktree of work that has landed, or of none. Otherwise commits what is left, says where the work is, and returns false. */
export async function* clearWorktree(
  context: RunContext,
  { landing, iterations }: RunState,
): AsyncGenerator<RunEvent, boolean> {
  const { branch, workspace } = context.ports;
  if (!branch) return true;
  const hasLanded = landing && ["landed", "kept", "published"].includes(landing.outcome);
  const { worktree: path, branch: name, base } = branch;
  const isWork = !hasLanded && iterations > 0; // what a check has left is none
  const gathered = isWork ? await branch.gather(commitWords(context), []) : undefined;
  await workspace.removeRoom();
  const clearing = await branch.clear(hasLanded ? landing.commit : undefined);
  if ("ignored" in clearing && clearing.ignored.length > 0)
    yield { type: "notice", notice: notice("worktree_cleared", { path, ignored: clearing.ignored.join(", ") }) };
  const left = "remove" in clearing ? await clearing.remove() : clearing.problem;
  if (!left) return true;
  const problem = problemOf(gathered) ?? (isWork ? undefined : left);
  const told = whereItIs(context, { path, branch: name, base, ...(problem && { problem }) });
  if (!(hasLanded && told.code === "work_on_remote")) yield { type: "notice", notice: told };
  return false;
}

function problemOf(gathered: Gathered | undefined): Message | undefined {
  return gathered && "problem" in gathered ? gathered.problem : undefined;
}

/** A checkout of a fleet is gone at the end of the run. */
function whereItIs({ ports }: RunContext, place: NoticeOf<"worktree_stays">["params"]) {
  const { repository, task_id } = ports.store.task;
  const { problem } = place;
  if (!repository) return notice("worktree_stays", place);
  const from = { repository: repository.url, ref: `refs/e8/${task_id}/tip` };
  return notice("work_on_remote", { ...from, ...(problem && { problem }) });
}
