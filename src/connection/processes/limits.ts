import { systemClock } from "../clock.ts";
import type { Clock } from "../ports/clock.ts";

/** A timer that fires this late shows that the program was stopped in between. */
const LATE_SECONDS = 1;
/** Time to read the output that was waiting meanwhile. */
const CATCH_UP_SECONDS = 1;

export type CutReason = "aborted" | "timeout" | "silent";

export interface LimitOptions {
  signal: AbortSignal;
  /** For everything together; null: no limit. */
  timeout_seconds: number | null;
  /** Between two signs of activity; null: no limit. */
  silence_seconds: number | null;
  /** The run's clock: no limit is reached while the run is paused. */
  clock?: Clock | undefined;
}

export interface Limits {
  /** The first limit that was hit. */
  readonly reason: CutReason | undefined;
  /** Reports activity: silence is counted from now, and may last this long. */
  alive(silenceSeconds?: number | null): void;
  stop(): void;
}

/** Calls `cut` once, with the first limit that is hit, unless stopped before. */
export function watchLimits(options: LimitOptions, cut: (reason: CutReason) => void): Limits {
  const { signal, timeout_seconds, silence_seconds, clock = systemClock } = options;
  const startTimer = timersOn(clock);
  let reason: CutReason | undefined;
  let stopped = false;
  let endSilence = () => {};
  const endTimeout = startTimer(timeout_seconds, CATCH_UP_SECONDS, () => hit("timeout"));
  const stop = () => {
    stopped = true;
    endTimeout();
    endSilence();
    signal.removeEventListener("abort", abort);
  };
  const hit = (which: CutReason) => {
    stop();
    reason = which;
    cut(which);
  };
  const abort = () => hit("aborted");
  const alive = (seconds: number | null = silence_seconds) => {
    endSilence();
    if (!stopped) endSilence = startTimer(seconds, seconds, () => hit("silent"));
  };
  alive();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return {
    get reason() {
      return reason;
    },
    alive,
    stop,
  };
}

/**
 * The timer's function stops it. A program that was stopped with SIGSTOP, or frozen, finds all its timers expired when it continues,
 * although output may be waiting to be read: a timer that fires late starts once more, for `again` seconds.
 */
function timersOn(clock: Clock) {
  return function startTimer(seconds: number | null, again: number | null, callback: () => void): () => void {
    if (seconds === null) return () => {};
    const due = clock.elapsed() + seconds;
    let end = clock.timer(seconds * 1000, () => {
      const isLate = clock.elapsed() - due > LATE_SECONDS;
      if (isLate && again !== null) end = startTimer(again, null, callback);
      else callback();
    });
    return () => end();
  };
}
