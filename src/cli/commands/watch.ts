import process from "node:process";
import { findTask, readPast } from "../../compose/looking-back.ts";
import { watchTask } from "../../compose/watch.ts";
import { EXIT_ERROR, EXIT_LEFT } from "../exit-codes.ts";
import { shown, tellResult } from "../follow.ts";
import { listenForInterrupts } from "../interrupts.ts";
import { openScreen, type ScreenOptions } from "../live/screen.ts";
import type { CliContext } from "../output.ts";
import { unfitFlag } from "../run-flags.ts";

interface WatchFlags extends ScreenOptions {
  project: string;
  speed?: string;
}

/** Attaches the live view to a run of another process, or replays a finished one. Ctrl-C leaves the view; the run goes on. */
export async function watchCommand(given: string | undefined, flags: WatchFlags, context: CliContext): Promise<void> {
  const { project } = flags;
  const speed = speedOf(flags, context);
  const id = await findTask(project, given);
  const { status } = await readPast(project, id);
  const isLive = status === "running" || status === "paused";
  const watched = isLive ? {} : { replay: { speed } };
  const screen = await openScreen({ ...flags, watched }, context);
  const interrupts = listenForInterrupts({ stopping: () => {}, suspend: () => screen.suspend() });
  const { signal } = interrupts;
  try {
    const result = await shown(watchTask({ project, id, speed }, { signal }), screen);
    if (signal.aborted) return left(isLive ? context.texts.watchLeft(id) : context.texts.replayLeft(id), context);
    if (!result) return cutOff(id, context);
    tellResult(result, flags, context);
  } finally {
    interrupts.release();
  }
}

function left(words: string, { output }: CliContext): void {
  output.progress(words);
  process.exitCode = EXIT_LEFT;
}

/** Its process was killed, so it has no result. */
function cutOff(id: string, { texts, output }: CliContext): void {
  output.progress(texts.list.interrupted);
  output.progress(texts.labeled(texts.nextStep, texts.report.goOn(id)));
  process.exitCode = EXIT_ERROR;
}

function speedOf({ speed }: WatchFlags, { texts }: CliContext): number | undefined {
  if (speed === undefined) return undefined;
  const times = Number(speed);
  if (speed.trim() !== "" && Number.isFinite(times) && times > 0) return times;
  throw unfitFlag({ flag: "--speed", command: "watch" }, speed, texts.values.aboveZero);
}
