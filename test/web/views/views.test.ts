import { describe, expect, test } from "vitest";
import type { StandingTask } from "../../../src/compose/status.ts";
import type { EventEnvelope, RunEvent } from "../../../src/model/events.ts";
import { message } from "../../../src/model/message.ts";
import { NOTHING_SPENT } from "../../../src/model/usage.ts";
import { en } from "../../../src/texts/en/catalogue.ts";
import { ja } from "../../../src/texts/ja/catalogue.ts";
import { backlogView } from "../../../src/web/views/backlog.ts";
import { eventAsTold } from "../../../src/web/views/readable-deep.ts";
import { liveFacts } from "../../../src/web/views/task-row.ts";
import { spansByIteration } from "../../../src/web/views/timeline.ts";

const ID = "2026-01-23T13-30-00";
const at = (second: number) => new Date(Date.UTC(2026, 0, 23) + second * 1000);

function wire(...events: readonly (readonly [number, RunEvent])[]): EventEnvelope[] {
  return events.map(([second, event], index) => ({
    ...{ v: 1, task_id: ID, seq: index + 1, at: at(second).toISOString(), event },
  }));
}

const phase = (name: "execute" | "judge" | "intake", iteration: number): RunEvent => ({
  ...{ type: "phase-start", phase: name, iteration },
});
const waiting: RunEvent = {
  ...{ type: "waiting", code: "rate_limit", reason: message("http_status", { status: 429 }), until: 99, attempt: 1 },
};
const begun: RunEvent = {
  ...{ type: "run-start", task_id: ID, directory: "/", task: "t", criteria: [], resumed_after: 0, max_iterations: 3 },
  ...{ budget: { cost_usd: null, tokens: null, minutes: null }, spent: NOTHING_SPENT, evaluations: [] },
};

describe("the spans of a timeline", () => {
  test("end where the next one begins, also a wait; the last one of a live run is open", () => {
    const spans = spansByIteration(wire([0, begun], [1, phase("execute", 1)], [3, waiting], [5, phase("judge", 1)]));

    expect(spans.get(1)).toEqual([
      { phase: "execute", start: at(1).getTime(), end: at(3).getTime() },
      { phase: "waiting", start: at(3).getTime(), end: at(5).getTime() },
      { phase: "judge", start: at(5).getTime() },
    ]);
  });

  test("do not go on through the time in which nothing ran", () => {
    const spans = spansByIteration(
      wire([0, begun], [1, phase("execute", 1)], [4, waiting], [900, begun], [901, phase("execute", 1)]),
    );

    expect(spans.get(1)?.map(({ start, end }) => [start, end])).toEqual([
      [at(1).getTime(), at(4).getTime()],
      [at(4).getTime(), at(4).getTime()],
      [at(901).getTime(), undefined],
    ]);
  });
});

test("a row follows its run: what it does, until when it waits, what it has spent", () => {
  const facts = wire(
    [0, begun],
    [1, phase("execute", 1)],
    [2, { type: "spent", total: { tokens: 5, cost_usd: 1, seconds: 2 } }],
    [3, waiting],
  );

  expect(facts.reduce(liveFacts, {})).toMatchObject({
    ...{ doing: { phase: "waiting", until: 99 }, spent: { tokens: 5 }, last_active: at(3).toISOString() },
  });
});

test("statements in an event are sentences in the reader's language, and quoted words stay", () => {
  const told = (language: "en" | "ja") => eventAsTold(waiting, language) as unknown as { reason: string };

  expect(told("en").reason).toContain("429");
  expect(told("ja").reason).toContain("429");
  expect(eventAsTold({ type: "text", role: "executor", text: "<b>as it is</b>" }, "ja")).toMatchObject({
    text: "<b>as it is</b>",
  });
});

describe("the backlog", () => {
  const standing = (issue: number, doing: StandingTask["doing"], more: Partial<StandingTask> = {}): StandingTask => ({
    ...{ issue, title: `issue ${issue}`, doing, iterations: 1, met: 0, criteria: 1, tokens: 0, cost_usd: 0, ...more },
  });
  const turn = (id: string, is_settled = false) => ({ task_id: id, is_settled });
  const item = (title: string, turns: readonly { task_id: string; is_settled: boolean }[], parked?: string) => ({
    ...{ title, turns, effects: {}, parked },
  });

  test("has the open issues in their order with what each does or waits for, then those that were done", () => {
    const view = backlogView(
      {
        queue: new Map([
          [1, item("done", [turn(ID, true)])],
          [3, item("parked", [turn("2026-01-23T13-30-01")], "no access")],
          [4, item("runs", [turn("2026-01-23T13-30-02")])],
        ]),
        standing: [standing(3, "parked"), standing(4, "running")],
        open: [
          { issue: 4, title: "Runs", blocked_by: [] },
          { issue: 3, title: "Parked", blocked_by: [] },
          { issue: 5, title: "Blocked", blocked_by: [3, 4] },
          { issue: 6, title: "New", blocked_by: [] },
        ],
        rows: new Map(),
      },
      en,
    );

    expect(view.items.map(({ issue, doing, problem }) => [issue, doing, problem])).toEqual([
      [4, "running", undefined],
      [3, "waits for you", "no access"],
      [5, "waits", "blocked by #3, #4"],
      [6, "not begun", undefined],
      [1, "done", undefined],
    ]);
  });

  test("has a lane before each base: who merges, then who has waited longest", () => {
    const at2 = { base: "main", since: "2026-01-23T10:00:02Z" };
    const lanes = backlogView(
      {
        ...{ queue: new Map(), open: [], rows: new Map() },
        standing: [
          standing(7, "to_merge", { base: "main", since: "2026-01-23T10:00:01Z" }),
          standing(8, "to_merge", { base: "main", since: "2026-01-23T10:00:00Z" }),
          standing(9, "merging", at2),
          standing(2, "merging", { ...at2, base: "next" }),
          standing(1, "running"),
        ],
      },
      ja,
    ).lanes;

    expect(lanes).toEqual([
      { base: "main", waiting: [9, 8, 7] },
      { base: "next", waiting: [2] },
    ]);
  });
});
