import process from "node:process";
import type { RunEvent } from "../model/events.ts";
import type { LoopResult } from "../model/records.ts";
import { exitCodes } from "./exit-codes.ts";
import { isDebugging } from "./output.ts";
import { questionLines } from "./questions.ts";
import { progressLines } from "./render/progress.ts";
import { reportLines } from "./render/report.ts";
import type { Surroundings } from "./surroundings.ts";

export interface FollowOptions {
  verbose?: boolean;
  json?: boolean;
}

/** Reads a run's events to the end: progress to stderr, the result to stdout, the exit code from its status. */
export async function follow(
  events: AsyncGenerator<RunEvent, LoopResult>,
  options: FollowOptions,
  { texts, output }: Surroundings,
): Promise<LoopResult> {
  const style = { texts, paint: output.paint, verbose: options.verbose === true, debug: isDebugging() };
  for (;;) {
    const step = await events.next();
    if (!step.done) {
      for (const line of progressLines(step.value, style)) output.progress(line);
      continue;
    }
    const result = step.value;
    for (const line of result.clarification_questions.flatMap(questionLines)) output.progress(line);
    const lines = options.json ? [JSON.stringify(result, null, 2)] : reportLines(result, texts, output.paint);
    for (const line of lines) output.result(line);
    process.exitCode = exitCodes[result.status];
    return result;
  }
}
