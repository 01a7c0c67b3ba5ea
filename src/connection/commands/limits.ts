import { LONGEST_TIMER_MILLISECONDS } from "../../model/limits.ts";

/** A timer that fires later than this after its time was held up, and this program with it. */
const LATE_MILLISECONDS = 1000;
/** What came while this program was held up is read first. */
const CATCH_UP_SECONDS = 1;

export type CutReason = "aborted" | "timeout" | "silent";

export interface LimitOptions {
  signal: AbortSignal;
  /** For the whole; null: none. */
  timeout_seconds: number | null;
  /** Between two signs of life; null: none. */
  silence_seconds: number | null;
}

export interface Limits {
  /** Which limit was hit first, if any. */
  readonly reason: CutReason | undefined;
  /** A sign of life: the silence begins anew, and may last this long. */
  alive(silenceSeconds?: number | null): void;
  stop(): void;
}

/** Calls `cut` once, with the first limit that is hit, until stopped. */
export function watchLimits(options: LimitOptions, cut: (reason: CutReason) => void): Limits {
  const { signal, timeout_seconds, silence_seconds } = options;
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
 * Returns what stops it. A program that was stopped with Ctrl-Z, or frozen, finds all its timers run out when it goes on, although
 * signs of life may be waiting to be read: a timer that fires late starts over once, for `again` seconds.
 */
function startTimer(seconds: number | null, again: number | null, callback: () => void): () => void {
  if (seconds === null) return () => {};
  const milliseconds = Math.min(seconds * 1000, LONGEST_TIMER_MILLISECONDS);
  const due = performance.now() + milliseconds;
  let end = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    const isLate = performance.now() - due > LATE_MILLISECONDS;
    if (isLate && again !== null) end = startTimer(again, null, callback);
    else callback();
  }, milliseconds);
  return () => end();
}
