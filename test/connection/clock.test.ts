import { afterEach, expect, test, vi } from "vitest";
import { RunClock, systemClock } from "../../src/connection/clock.ts";

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

test("a paused clock stands still, and its timers with it; then both go on where they were", async () => {
  vi.useFakeTimers();
  const clock = new RunClock();
  const begun = clock.elapsed();
  let isDue = false;
  clock.timer(HOUR, () => {
    isDue = true;
  });

  await vi.advanceTimersByTimeAsync(HOUR / 2);
  clock.pause();
  await vi.advanceTimersByTimeAsync(8 * HOUR);
  expect(clock.elapsed() - begun).toBeCloseTo(1800);
  clock.unpause();
  await vi.advanceTimersByTimeAsync(HOUR / 2 - 1000);
  expect(isDue).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);

  expect(isDue).toBe(true);
  expect(clock.elapsed() - begun).toBeCloseTo(3600);
});

test("a timer that was stopped stays silent, also after a pause", async () => {
  vi.useFakeTimers();
  const clock = new RunClock();
  const callback = vi.fn();
  const stop = clock.timer(HOUR, callback);
  clock.pause();
  stop();
  clock.unpause();
  await vi.advanceTimersByTimeAsync(2 * HOUR);
  expect(callback).not.toHaveBeenCalled();
});

test("whoever asks whether the run goes on waits for the end of a pause, or for the signal", async () => {
  const clock = new RunClock();
  const controller = new AbortController();
  await clock.going(never);
  clock.pause();
  const [ended, left] = [clock.going(never), clock.going(controller.signal)];
  controller.abort();
  await left;
  clock.unpause();
  await ended;
});
