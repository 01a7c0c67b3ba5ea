import { expect, test, vi } from "vitest";
import { Halt, orHalt } from "../../src/execution/halt.ts";

const patient = { seconds: 600, error: () => new Error("too late") };

test.each(["before", "while"])(
  "a promise that never comes keeps nothing waiting when the run is cancelled %s",
  async (when) => {
    vi.useFakeTimers();
    const cancel = new AbortController();
    if (when === "before") cancel.abort();
    const waiting = orHalt(new Promise(() => {}), cancel.signal, patient);
    cancel.abort();

    await expect(waiting).rejects.toBeInstanceOf(Halt);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  },
);

test("a later failure is ignored", async () => {
  const unhandled = vi.fn();
  process.once("unhandledRejection", unhandled);
  const late = new Promise((_, reject) => setImmediate(() => reject(new Error("late"))));

  await expect(orHalt(late, AbortSignal.abort(), patient)).rejects.toBeInstanceOf(Halt);
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(unhandled).not.toHaveBeenCalled();
  process.off("unhandledRejection", unhandled);
});
