import { expect, test } from "vitest";
import type { World } from "../support/run-goal.ts";
import { runGoal } from "../support/run-goal.ts";
import { failing, judged, worked } from "../support/scripted-agent.ts";

/** Has the clock say when the run may go on: `going` waits until it is let go. */
function paused({ clock }: World) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  clock.going = () => gate;
  return () => letGo();
}

test("a paused run asks nobody and checks nothing before it goes on", async () => {
  let letGo = () => {};
  const asked: number[] = [];
  const run = runGoal({
    script: {
      executor: [{ ...worked("done"), during: () => void asked.push(1) }],
      judge: [judged([true])],
    },
    arrange: (world) => {
      letGo = paused(world);
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toEqual([]);
  letGo();

  expect((await run).result.status).toBe("completed");
  expect(asked).toEqual([1]);
});

test("a wait that a pause outlasts does not use up the time budget", async () => {
  const minutes = 10;
  const { result, clock } = await runGoal({
    settings: { budget: { minutes } },
    script: { executor: [failing("usage_limit", "used up", Date.UTC(2026, 0, 23, 13, 50)), worked("done")] },
    arrange: ({ clock: own }) => {
      const elapsed = own.elapsed.bind(own);
      own.elapsed = () => Math.min(elapsed(), 60); // paused after a minute
    },
  });

  expect(result.status).toBe("completed");
  expect(clock.sleeps.length).toBeGreaterThan(1);
});
