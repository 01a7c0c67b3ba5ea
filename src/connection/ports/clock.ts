export interface Clock {
  now(): Date;
  /** Seconds on a clock that never jumps. */
  elapsed(): number;
  /** Resolves early, without error, when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}
