import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { message } from "../model/message.ts";
import { notice } from "../model/notices.ts";
import type { RunState } from "../model/state.ts";
import type { RunContext } from "./run-context.ts";

/** Prepares a new worktree, once: it has only what git has, and the files that were copied. */
export async function setUpWorktree({ ports, configuration, signal }: RunContext): Promise<void> {
  const { place } = ports.store.task;
  const { setup: command } = configuration.worktree;
  if (!place || place.is_set_up || command === null) return;
  const request = { command, timeout_seconds: configuration.command_timeout, pipefail: true };
  const outcome = await ports.commands.run(request, signal);
  if (signal.aborted) return;
  if (outcome.exit_code !== 0) {
    const problem =
      outcome.start_error ??
      (outcome.timed_out
        ? message("command_timed_out", {
            limit: { seconds: configuration.command_timeout, setting: "--check-timeout" },
          })
        : message("command_exited", { exit_code: outcome.exit_code }));
    throw new E8Error("worktree_setup_failed", { command, problem, output: outcome.output_tail });
  }
  await ports.store.save({ place: { ...place, is_set_up: true } });
}

/** Removes the worktree of work that has landed. Otherwise says where the work is. */
export async function* clearWorktree({ ports }: RunContext, { landing }: RunState): AsyncGenerator<RunEvent, void> {
  const { branch } = ports;
  if (!branch) return;
  const hasLanded = landing?.outcome === "landed" || landing?.outcome === "kept";
  const { worktree: path, branch: name, base } = branch;
  const cleared = hasLanded ? await branch.clear(landing.commit) : undefined;
  if (cleared?.removed && cleared.ignored.length > 0)
    yield { type: "notice", notice: notice("worktree_cleared", { path, ignored: cleared.ignored.join(", ") }) };
  if (!cleared?.removed)
    yield {
      type: "notice",
      notice: notice("worktree_stays", { path, branch: name, base, ...(cleared && { problem: cleared.problem }) }),
    };
}
