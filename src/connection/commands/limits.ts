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
  /** A sign of life: the silence begins anew, and may last this long. */
  alive(silenceSeconds?: number | null): void;
  stop(): void;
}

/** Calls `cut` once, with the first limit that is hit, until stopped. */
export function watchLimits(options: LimitOptions, cut: (reason: CutReason) => void): Limits {
  const { signal, timeout_seconds, silence_seconds } = options;
  let reason: CutReason | undefined;
  let stopped = false;
  let silence: NodeJS.Timeout | undefined;
  const timeout = startTimer(timeout_seconds, () => hit("timeout"));
  const stop = () => {
    stopped = true;
    clearTimeout(timeout);
    clearTimeout(silence);
    signal.removeEventListener("abort", abort);
  };
  const hit = (which: CutReason) => {
    stop();
    reason = which;
    cut(which);
  };
  const abort = () => hit("aborted");
  const alive = (seconds: number | null = silence_seconds) => {
    clearTimeout(silence);
    silence = stopped ? undefined : startTimer(seconds, () => hit("silent"));
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

function startTimer(seconds: number | null, callback: () => void): NodeJS.Timeout | undefined {
  return seconds === null ? undefined : setTimeout(callback, Math.min(seconds * 1000, LONGEST_MILLISECONDS));
}
