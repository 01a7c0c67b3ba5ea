import process from "node:process";
import type { RunOptions } from "../compose/tasks.ts";
import { E8Error, type ErrorParams } from "../model/errors.ts";
import { drain } from "../model/event-stream.ts";
import type { EventEnvelope } from "../model/events.ts";
import { PauseSwitch } from "../model/pause-switch.ts";
import type { LoopResult } from "../model/records.ts";
import { readableResult } from "../texts/readable.ts";
import { errorText } from "../texts/sentences.ts";
import { exitCodes } from "./exit-codes.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { openScreen, type Screen, type ScreenOptions } from "./live/screen.ts";
import type { CliContext } from "./output.ts";
import { askAtTerminal, confirmAtTerminal, isTerminal, questionLines } from "./questions.ts";
import { reportLines } from "./render/report.ts";

export interface FollowOptions extends ScreenOptions {
  project: string;
}

/** Follows a run of this process to its end, with Ctrl-C and questions connected. */
export async function runToEnd(
  start: (options: RunOptions) => AsyncGenerator<EventEnvelope, LoopResult>,
  flags: FollowOptions,
  context: CliContext,
): Promise<LoopResult> {
  if (flags.json && flags.jsonEvents)
    throw new E8Error("flag_invalid", { flag: "--json-events", problem: context.texts.oneJsonFormat });
  const screen = await openScreen(flags, context);
  const pause = new PauseSwitch();
  const interrupts = listenForInterrupts(screen, pause);
  const { signal, hurry } = interrupts;
  let result: LoopResult;
  try {
    const ask: RunOptions["ask"] = isTerminal()
      ? (questions) => screen.lend(() => interrupts.ask((asked) => askAtTerminal(questions, context, asked)))
      : undefined;
    const confirm: RunOptions["confirm"] = isTerminal()
      ? (changes) => screen.lend(() => confirmChanges(changes, context))
      : undefined;
    const { language } = context.texts;
    result = await shown(start({ signal, hurry, ask, confirm, pause, language }), screen);
    tellResult(result, flags, context);
  } finally {
    screen.close();
    interrupts.release();
  }
  const isForPeople = !flags.json && !flags.jsonEvents && !flags.quiet;
  if (isForPeople && result.landing?.outcome === "kept")
    await (await import("./forward.ts")).offerForward(flags.project, [result.landing.base], context);
  return result;
}

function confirmChanges(changes: ErrorParams["changes_unaccepted"], { texts, output }: CliContext): Promise<boolean> {
  output.progress(errorText(new E8Error("changes_unaccepted", changes), texts.language).message);
  return confirmAtTerminal(texts.acceptAsk, texts);
}

/** Reads the events to their end; each goes to the screen. */
export async function shown<R>(events: AsyncGenerator<EventEnvelope, R>, screen: Screen): Promise<R> {
  try {
    return await drain(events, (envelope) => screen.show(envelope));
  } finally {
    screen.close();
  }
}

/** The result goes to stdout, unless the events are there; the exit code comes from its status. */
export function tellResult(
  result: LoopResult,
  { json, jsonEvents, project }: FollowOptions,
  { texts, output }: CliContext,
): void {
  process.exitCode = exitCodes[result.status];
  if (jsonEvents) return;
  for (const line of result.clarification_questions.flatMap(questionLines)) output.progress(line);
  if (json) output.json(readableResult(result, texts.language));
  else output.page(reportLines(result, { texts, paint: output.paint, project, from: process.cwd() }));
}
