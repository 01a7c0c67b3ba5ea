import type { Clock } from "./ports/clock.ts";

/** How often the clock is read while waiting: a machine that sleeps stops its timers, but not the time. */
const LOOK_MILLISECONDS = 30_000;

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now() / 1000,
  async sleep(milliseconds, signal) {
    const [end, endByTimers] = [Date.now() + milliseconds, performance.now() + milliseconds];
    while (!signal.aborted) {
      const left = Math.min(end - Date.now(), endByTimers - performance.now());
      if (left <= 0) return;
      await pause(Math.min(left, LOOK_MILLISECONDS), signal);
    }
  },
};

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
