import { LONGEST_TIMER_MILLISECONDS } from "../model/limits.ts";
import type { Clock } from "./ports/clock.ts";

/** How often the clock is read while waiting: a machine that sleeps stops its timers, but not the time. */
const LOOK_MILLISECONDS = 30_000;

/** The clock of one run. */
export class RunClock implements Clock {
  #pausedSince: number | undefined;
  #pausedMilliseconds = 0;
  readonly #listeners = new Set<() => void>();

  get isPaused(): boolean {
    return this.#pausedSince !== undefined;
  }

  pause(): void {
    this.#pausedSince ??= performance.now();
    this.#tell();
  }

  unpause(): void {
    if (this.#pausedSince !== undefined) this.#pausedMilliseconds += performance.now() - this.#pausedSince;
    this.#pausedSince = undefined;
    this.#tell();
  }

  now(): Date {
    return new Date();
  }

  elapsed(): number {
    return this.#milliseconds() / 1000;
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    const [end, endByTimers] = [Date.now() + milliseconds, performance.now() + milliseconds];
    while (!signal.aborted) {
      const left = Math.min(end - Date.now(), endByTimers - performance.now());
      if (left <= 0) return;
      await pause(Math.min(left, LOOK_MILLISECONDS), signal);
    }
  }

  timer(milliseconds: number, callback: () => void): () => void {
    const due = this.#milliseconds() + Math.min(milliseconds, LONGEST_TIMER_MILLISECONDS);
    let handle: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(handle);
      this.#listeners.delete(start);
    };
    const start = () => {
      clearTimeout(handle);
      if (this.isPaused) return;
      handle = setTimeout(() => {
        stop();
        callback();
      }, due - this.#milliseconds());
    };
    this.#listeners.add(start);
    start();
    return stop;
  }

  async going(signal: AbortSignal): Promise<void> {
    while (this.isPaused && !signal.aborted) await this.#change(signal);
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#listeners.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      this.#listeners.add(end);
      signal.addEventListener("abort", end);
    });
  }

  #milliseconds(): number {
    return (this.#pausedSince ?? performance.now()) - this.#pausedMilliseconds;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** For everything that is not part of a run: it is never paused. */
export const systemClock: Clock = new RunClock();

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
