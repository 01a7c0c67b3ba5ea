import { expect, test } from "vitest";
import type { RunEvent } from "../../src/model/events.ts";
import { follow, hasRoom, type Running } from "../../src/orchestrator/running.ts";

function runs(stands: Record<Running["stands"], number>): Running[] {
  const of = (where: Running["stands"]) => Array.from({ length: stands[where] }, () => ({ ...NEW, stands: where }));
  return [...of("at-work"), ...of("in-line"), ...of("waiting")];
}

const NEW: Running = { stands: "at-work", cost_usd: 0, tokens: 0 };
const NONE = { "at-work": 0, "in-line": 0, waiting: 0 };

test("only a run at work takes up a place", () => {
  expect(hasRoom(runs({ ...NONE, "at-work": 1 }), 2)).toBe(true);
  expect(hasRoom(runs({ ...NONE, "at-work": 2 }), 2)).toBe(false);
  expect(hasRoom(runs({ "at-work": 1, "in-line": 2, waiting: 9 }), 2)).toBe(true);
});

test("nothing is begun while the line before the base is so long that it would only grow old there", () => {
  expect(hasRoom(runs({ ...NONE, "in-line": 3 }), 2)).toBe(true);
  expect(hasRoom(runs({ ...NONE, "in-line": 4 }), 2)).toBe(false);
  expect(hasRoom(runs({ ...NONE, "at-work": 1, "in-line": 3 }), 2)).toBe(false);
  expect(hasRoom(runs({ ...NONE, waiting: 9 }), 2)).toBe(true);
});

test("a run stands in line from the queue on, and is at work again where its merged tree is proved", () => {
  const running = { ...NEW };
  const stands = (event: object) => {
    follow(running, event as RunEvent);
    return running.stands;
  };
  const phase = (name: string) => ({ type: "phase-start", phase: name, iteration: 1 });

  expect(["queue", "land", "prove", "queue", "execute"].map((name) => stands(phase(name)))).toEqual([
    ...["in-line", "in-line", "at-work", "in-line", "at-work"],
  ]);
  expect(stands({ type: "waiting" })).toBe("waiting");
});
