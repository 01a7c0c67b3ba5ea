import process from "node:process";
import type { EventEnvelope } from "../../model/events.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { isSaid } from "../log-level.ts";
import type { CliContext } from "../output.ts";
import { progressLines, progressOptions } from "../render/progress.ts";

/** Where a run is shown. */
export interface Screen {
  show(envelope: EventEnvelope): void;
  /** The user has asked the run to stop. */
  stopping(): void;
  /** The shell is about to stop us, and needs its terminal. */
  suspend(): void;
  /** Leaves the terminal to questions for as long as they need it. */
  lend<T>(use: () => Promise<T>): Promise<T>;
  /** Nothing is shown from now on. */
  close(): void;
}

export interface ScreenOptions {
  verbose?: boolean;
  plain?: boolean;
  /** No progress, no notes: only the result. */
  quiet?: boolean;
  /** The events themselves on stdout, and no progress. */
  jsonEvents?: boolean;
  /** The result as JSON. */
  json?: boolean;
  /** The run belongs to another process. */
  watched?: Watched;
}

export interface Watched {
  /** The run is over and is replayed so many times faster than it was; at once where absent. Without `replay`, it is still running. */
  replay?: { speed: number | undefined };
}

export async function openScreen(options: ScreenOptions, context: CliContext): Promise<Screen> {
  if (options.jsonEvents) return wireScreen(context);
  if (options.quiet) return silentScreen();
  if (!isLive(options)) return plainScreen(options, context);
  return await liveScreen(context.texts, options);
}

/** Whether standard error, where progress goes, can be drawn on, and progress is wanted. Where the result goes does not matter. */
export function isLive({ plain, watched }: ScreenOptions): boolean {
  const { CI, TERM } = process.env;
  const isCi = CI !== undefined && !["", "0", "false"].includes(CI);
  const isAtOnce = watched?.replay !== undefined && watched.replay.speed === undefined;
  if (!isSaid("info")) return false;
  return plain !== true && !isAtOnce && process.stderr.isTTY === true && TERM !== "dumb" && !isCi;
}

function plainScreen(options: ScreenOptions, { texts, output }: CliContext): Screen {
  const style = { texts, paint: output.paint, ...progressOptions(options) };
  return {
    show: ({ event }) => {
      for (const line of progressLines(event, style)) output.progress(line);
    },
    stopping: () => output.progress(texts.stopping),
    suspend: () => {},
    lend: (use) => use(),
    close: () => {},
  };
}

/** One line of JSON an event, as the event wire has it. */
function wireScreen({ output }: CliContext): Screen {
  return { ...silentScreen(), show: (envelope) => output.result(JSON.stringify(envelope)) };
}

/** Shows nothing. */
function silentScreen(): Screen {
  return { show: () => {}, stopping: () => {}, suspend: () => {}, lend: (use) => use(), close: () => {} };
}

/** What React and ink read while they are loaded. Agents must not inherit our choice, so it holds only for that moment. */
const CHOICES = {
  /** Otherwise React keeps notes on every drawing for as long as the program runs. */
  NODE_ENV: "production",
  /** Otherwise ink looks for its debugger. */
  DEV: undefined,
  /** Otherwise ink decides by itself whether it may draw. */
  CI: undefined,
  CONTINUOUS_INTEGRATION: undefined,
};

async function liveScreen(texts: Texts, options: ScreenOptions): Promise<Screen> {
  const kept = Object.keys(CHOICES).map((name) => [name, process.env[name]] as const);
  setAll(Object.entries(CHOICES));
  try {
    const { openLiveScreen } = await import("./live-screen.ts");
    return await openLiveScreen(texts, options);
  } finally {
    setAll(kept);
  }
}

function setAll(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
