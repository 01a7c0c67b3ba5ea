import type { CommandOutcome } from "../../connection/ports/commands.ts";
import type { Place } from "../../connection/ports/workspace.ts";
import type { RunEvent } from "../../model/events.ts";
import { type Message, message } from "../../model/message.ts";
import { NOTHING_SPENT } from "../../model/usage.ts";
import { outcomeMessage } from "../goal/command-outcome.ts";
import { haltIfAborted } from "../halt.ts";
import { tailOf } from "../prompt/bounds.ts";
import type { RunContext } from "../run-context.ts";

const OUTPUT_TOKENS = 500;
const LONGEST_QUOTE = 300;

/** Prepares a clean checkout by the commands of `setup`. Returns why that did not succeed. */
export async function* setUp(
  context: RunContext,
  place: Place,
  iteration: number,
): AsyncGenerator<RunEvent, Message | undefined> {
  const { configuration, ports, meter, signal } = context;
  yield { type: "phase-start", phase: "setup", iteration };
  for (const command of configuration.setup) {
    const limit = { seconds: configuration.setup_timeout, setting: "--setup-timeout" };
    const outcome = await ports.commands.run(
      { command, timeout_seconds: limit.seconds, pipefail: false, place },
      signal,
    );
    const total = await meter.charge("checks", iteration, NOTHING_SPENT);
    haltIfAborted(signal);
    const said = { command, outcome: outcomeMessage(outcome, limit), output: outputOf(outcome) };
    yield { type: "spent", total };
    yield { type: "setup-end", iteration, is_done: isDone(outcome), ...said };
    if (!isDone(outcome)) return message("setup_failed", { ...said, output: lastLine(said.output) });
  }
  await place.prepared();
  return undefined;
}

function isDone({ exit_code, timed_out }: CommandOutcome): boolean {
  return exit_code === 0 && !timed_out;
}

function outputOf({ output_tail }: CommandOutcome): string {
  return tailOf(output_tail.trim(), OUTPUT_TOKENS).text;
}

function lastLine(output: string): string {
  return (output.split("\n").at(-1) ?? "").slice(0, LONGEST_QUOTE).toWellFormed();
}
