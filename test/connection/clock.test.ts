import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/connection/clock.ts";

const HOUR = 3_600_000;
const never = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

/** Says whether it is over, without waiting for it. */
function sleeping(milliseconds: number, signal = never) {
  let isOver = false;
  void systemClock.sleep(milliseconds, signal).then(() => {
    isOver = true;
  });
  return () => isOver;
}

test("a wait lasts as long as asked", async () => {
  vi.useFakeTimers();
  const isOver = sleeping(40 * 24 * HOUR);

  await vi.advanceTimersByTimeAsync(40 * 24 * HOUR - 1000);
  expect(isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isOver()).toBe(true);
});

test("a machine that slept past the end of a wait stops waiting", async () => {
  vi.useFakeTimers();
  const isOver = sleeping(5 * HOUR);

  await vi.advanceTimersByTimeAsync(HOUR);
  vi.setSystemTime(Date.now() + 8 * HOUR); // its timers stood still
  await vi.advanceTimersByTimeAsync(60_000);

  expect(isOver()).toBe(true);
});

test("setting the clock back does not make a wait longer", async () => {
  vi.useFakeTimers();
  const isOver = sleeping(HOUR);

  vi.setSystemTime(Date.now() - 8 * HOUR);
  await vi.advanceTimersByTimeAsync(HOUR);

  expect(isOver()).toBe(true);
});

test("a signal ends a wait", async () => {
  const controller = new AbortController();
  const waiting = systemClock.sleep(HOUR, controller.signal);
  controller.abort();

  await waiting;
});
