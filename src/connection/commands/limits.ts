/** setTimeout fires at once for anything longer. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1;

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
  /** A sign of life: the silence begins anew. */
  alive(): void;
  stop(): void;
}

/** Calls `cut` once, with the first limit that is hit, until stopped. */
export function watchLimits(options: LimitOptions, cut: (reason: CutReason) => void): Limits {
  let reason: CutReason | undefined;
  const hit = (which: CutReason) => {
    stop();
    reason = which;
    cut(which);
  };
  const abort = () => hit("aborted");
  const timeout = startTimer(options.timeout_seconds, () => hit("timeout"));
  const silence = startTimer(options.silence_seconds, () => hit("silent"));
  const stop = () => {
    clearTimeout(timeout);
    clearTimeout(silence);
    options.signal.removeEventListener("abort", abort);
  };
  options.signal.addEventListener("abort", abort, { once: true });
  if (options.signal.aborted) abort();
  return {
    get reason() {
      return reason;
    },
    alive: () => silence?.refresh(),
    stop,
  };
}

function startTimer(seconds: number | null, callback: () => void): NodeJS.Timeout | undefined {
  return seconds === null ? undefined : setTimeout(callback, Math.min(seconds * 1000, LONGEST_MILLISECONDS));
}
