import type { RunOptions } from "../compose/tasks.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { LoopResult } from "../model/records.ts";
import type { CliContext } from "./context.ts";
import { type FollowOptions, follow } from "./follow.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { openScreen } from "./live/open-screen.ts";
import { askAtTerminal, isTerminal } from "./questions.ts";

/** Follows a run with Ctrl-C and questions connected. */
export async function runToEnd(
  start: (options: RunOptions) => AsyncGenerator<EventEnvelope, LoopResult>,
  flags: FollowOptions,
  context: CliContext,
): Promise<LoopResult> {
  const screen = await openScreen(flags, context);
  const interrupts = listenForInterrupts(() => screen.stopping());
  const { signal, hurry } = interrupts;
  try {
    const ask: RunOptions["ask"] = isTerminal()
      ? (questions) => screen.lend(() => askAtTerminal(questions, context, signal))
      : undefined;
    return await follow(start({ signal, hurry, ask }), screen, flags, context);
  } finally {
    screen.close();
    interrupts.release();
  }
}
