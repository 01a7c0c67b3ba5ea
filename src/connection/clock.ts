import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "./ports.ts";

/** The longest wait that timers can take in one piece. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now() / 1000,
  async sleep(milliseconds, signal) {
    for (let left = milliseconds; left > 0 && !signal.aborted; left -= LONGEST_TIMER)
      await sleep(Math.min(left, LONGEST_TIMER), undefined, { signal }).catch(() => {});
  },
};
