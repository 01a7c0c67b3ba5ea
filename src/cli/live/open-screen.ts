import process from "node:process";
import type { CliContext } from "../context.ts";
import { isDebugging } from "../output.ts";
import { progressLines } from "../render/progress.ts";
import { loadLiveScreen } from "./load.ts";
import type { Screen, ScreenOptions } from "./screen.ts";

export async function openScreen(options: ScreenOptions, context: CliContext): Promise<Screen> {
  const verbose = options.verbose === true;
  if (!isLive(options)) return plainScreen(verbose, context);
  const { LiveScreen } = await loadLiveScreen();
  return new LiveScreen(context.texts, verbose);
}

/** Whether standard error, where progress goes, is something that can be drawn on. What happens to the result does not matter. */
export function isLive({ plain }: ScreenOptions): boolean {
  const { CI, TERM } = process.env;
  const isCi = CI !== undefined && !["", "0", "false"].includes(CI);
  return plain !== true && process.stderr.isTTY === true && TERM !== "dumb" && !isCi;
}

function plainScreen(verbose: boolean, { texts, output }: CliContext): Screen {
  const style = { texts, paint: output.paint, verbose, debug: isDebugging() };
  return {
    show: (event) => {
      for (const line of progressLines(event, style)) output.progress(line);
    },
    stopping: () => output.progress(texts.stopping),
    lend: (use) => use(),
    close: () => {},
  };
}
