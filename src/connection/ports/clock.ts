export interface Clock {
  now(): Date;
  /** Seconds on a clock that never jumps, and that stands still while the run is paused. */
  elapsed(): number;
  /** Resolves early, without error, when the signal aborts. Real time: a service that is waited for does not pause. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Calls back when `elapsed` has moved this far. Returns a function that stops it. */
  timer(milliseconds: number, callback: () => void): () => void;
  /** Resolves when the run is not paused, or when the signal aborts. */
  going(signal: AbortSignal): Promise<void>;
}
