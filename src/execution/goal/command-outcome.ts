import type { CommandOutcome } from "../../connection/ports/commands.ts";
import { type Message, message } from "../../model/message.ts";
import type { TimeLimit } from "../../model/messages/system.ts";

/** How a command ended, in words. */
export function outcomeMessage(outcome: CommandOutcome, limit: TimeLimit): Message {
  if (outcome.start_error !== null) return message("command_not_started", { problem: outcome.start_error });
  if (outcome.timed_out) return message("command_timed_out", { limit });
  const { exit_code, seconds } = outcome;
  if (exit_code !== null && outcome.signal === null)
    return message("command_exited", { exit_code, seconds: Math.round(seconds * 10) / 10 });
  return message("command_killed", { signal: outcome.signal ?? "?" });
}
