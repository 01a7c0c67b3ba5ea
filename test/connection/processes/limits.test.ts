import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { RunClock } from "../../../src/connection/clock.ts";
import { type CutReason, type LimitOptions, watchLimits } from "../../../src/connection/processes/limits.ts";

function watch(options: Partial<LimitOptions>) {
  const cuts: CutReason[] = [];
  const signal = new AbortController().signal;
  const limits = watchLimits({ signal, timeout_seconds: null, silence_seconds: null, ...options }, (reason) =>
    cuts.push(reason),
  );
  return { limits, cuts };
}

test("only the first limit that is hit counts", async () => {
  const controller = new AbortController();
  const { limits, cuts } = watch({ signal: controller.signal, timeout_seconds: 0.05, silence_seconds: 0.01 });

  await sleep(200);
  controller.abort();

  expect(cuts).toEqual(["silent"]);
  expect(limits.reason).toBe("silent");
});

test("a signal that has aborted already cuts at once", () => {
  expect(watch({ signal: AbortSignal.abort() }).cuts).toEqual(["aborted"]);
});

test("without limits, and with one of a hundred days, nothing is cut", async () => {
  const { limits, cuts } = watch({ timeout_seconds: 100 * 24 * 3600 });

  await sleep(50);
  limits.stop();

  expect(cuts).toEqual([]);
});

test("a stopped watch never cuts, with or without activity", async () => {
  const controller = new AbortController();
  const { limits, cuts } = watch({ signal: controller.signal, timeout_seconds: 0.02, silence_seconds: 0.02 });

  limits.stop();
  limits.alive();
  controller.abort();
  await sleep(100);

  expect(cuts).toEqual([]);
});

test.each([
  ["time", { timeout_seconds: 0.1 }],
  ["silence", { silence_seconds: 0.1 }],
])("a program that was stopped first reads the output that came meanwhile: %s", async (_, options) => {
  const { limits, cuts } = watch(options);

  standStill(1500);
  await sleep(1); // timers that have run out fire first
  limits.stop();

  expect(cuts).toEqual([]);
});

test("a limit still holds after a stop", async () => {
  const { cuts } = watch({ silence_seconds: 0.1 });

  standStill(1500);
  await sleep(1000);

  expect(cuts).toEqual(["silent"]);
});

/** As with Ctrl-Z: time passes, and nothing of this program runs. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test("neither silence nor a time limit counts while the run is paused", async () => {
  vi.useFakeTimers();
  try {
    const clock = new RunClock();
    const { cuts } = watch({ clock, timeout_seconds: 100, silence_seconds: 10 });
    clock.pause();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(cuts).toEqual([]);
    clock.unpause();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(cuts).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(cuts).toEqual(["silent"]);
  } finally {
    vi.useRealTimers();
  }
});
