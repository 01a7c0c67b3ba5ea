import process from "node:process";
import { drain } from "../model/event-stream.ts";
import type { EventEnvelope } from "../model/events.ts";
import type { LoopResult } from "../model/records.ts";
import { readableResult } from "../texts/readable.ts";
import type { CliContext } from "./context.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Screen, ScreenOptions } from "./live/screen.ts";
import { questionLines } from "./questions.ts";
import { knownWidth } from "./render/columns.ts";
import { reportLines } from "./render/report.ts";
import { wrappedLines } from "./render/wrap.ts";

export interface FollowOptions extends ScreenOptions {
  json?: boolean;
}

/** Reads a run's events to the end: progress to the screen, the result to stdout, the exit code from its status. */
export async function follow(
  events: AsyncGenerator<EventEnvelope, LoopResult>,
  screen: Screen,
  options: FollowOptions,
  { texts, output }: CliContext,
): Promise<LoopResult> {
  const result = await shown(events, screen);
  for (const line of result.clarification_questions.flatMap(questionLines)) output.progress(line);
  const lines = options.json
    ? [JSON.stringify(readableResult(result, texts.language), null, 2)]
    : wrappedLines(reportLines(result, texts, output.paint), knownWidth());
  for (const line of lines) output.result(line);
  process.exitCode = exitCodes[result.status];
  return result;
}

async function shown(events: AsyncGenerator<EventEnvelope, LoopResult>, screen: Screen): Promise<LoopResult> {
  try {
    return await drain(events, ({ event }) => screen.show(event));
  } finally {
    screen.close();
  }
}
