import { describe, expect, test } from "vitest";
import { channelsFor, notificationOf } from "../../src/judgment/notifications.ts";
import type { RunEvent } from "../../src/model/events.ts";
import type { Task } from "../../src/model/task.ts";
import { configuration, finalResult, judgment } from "../support/stored.ts";

const now = new Date("2026-01-23T13:30:00.000Z");
const ID = "2026-01-23T13-30-00";
const SECRET = "sk-ant-very-secret";
const task: Task = {
  ...{ version: 1, task_id: ID, created_at: now.toISOString(), project: "/project" },
  ...{
    configuration: configuration({ task: `Mend it ${"x".repeat(5000)}` }),
    intake: null,
    answers: [],
    flow: null,
    boundary: null,
  },
};

function ended(change: object): RunEvent {
  return { type: "run-end", result: { ...finalResult(ID), ...change } };
}

describe("what a notification says", () => {
  test("the end has facts only: no evidence, no details of an error, and the task is cut", () => {
    const evaluations = [
      { id: 1, criterion: "c", is_met: true, evidence: SECRET, confidence: 1, source: "command" as const },
      { id: 2, criterion: "d", is_met: false, evidence: SECRET, confidence: 1, source: "judge" as const },
    ];
    const event = ended({
      ...{ status: "error", stop_reason: "error", error_code: "authentication", error_details: { message: SECRET } },
      final_judgment: { ...judgment(1), evaluations, overall_reason: SECRET },
      artifacts: [SECRET],
    });
    const notification = notificationOf(event, task, now);

    expect(notification).toMatchObject({
      ...{ event: "end", task_id: ID, project: "/project", at: now.toISOString() },
      result: { status: "error", stop_reason: "error", error_code: "authentication", criteria_met: 1, criteria: 2 },
    });
    expect(JSON.stringify(notification)).not.toContain(SECRET);
    expect(notification?.task).toHaveLength(200);
  });

  test("an end without progress is a stall", () => {
    expect(notificationOf(ended({ status: "stalled", stop_reason: "stalled" }), task, now)?.event).toBe("stall");
  });

  test("questions are cut, their context and suggestions left out", () => {
    const questions = [{ question: `Which ${"y".repeat(900)}`, context: SECRET, suggested_answers: [SECRET] }];
    const notification = notificationOf({ type: "clarification", questions }, task, now);
    expect(notification).toMatchObject({ event: "question", questions: [expect.stringMatching(/^Which y+$/)] });
    expect(notification?.questions?.[0]).toHaveLength(300);
    expect(JSON.stringify(notification)).not.toContain(SECRET);
  });

  test("a wait is told when it is long, by its code, without the words of the service", () => {
    const waiting = (minutes: number): RunEvent => {
      const until = now.getTime() + minutes * 60_000;
      return { type: "waiting", code: "usage_limit", reason: SECRET, until, attempt: 1 };
    };
    expect(notificationOf(waiting(0.9), task, now)).toBeUndefined();
    const notification = notificationOf(waiting(90), task, now);
    expect(notification?.wait).toEqual({ code: "usage_limit", until: "2026-01-23T15:00:00.000Z" });
    expect(JSON.stringify(notification)).not.toContain(SECRET);
  });
});

describe("how the user is told", () => {
  const notify = { ...{ on: [], desktop: true, webhook: "https://a.example", command: "b", on_end: null } };
  const of = (event: "end" | "wait" | "question" | "stall") => ({ event, task_id: ID, project: "", task: "", at: "" });
  const all = ["desktop", "webhook", "command"];

  test.each([
    ["end", ["end"], all],
    ["end", ["wait", "question", "stall"], []],
    ["stall", ["end"], all],
    ["stall", ["stall"], all],
    ["wait", ["end", "question"], []],
    ["question", ["question"], all],
  ] as const)("%s, where %j is asked for", (event, on, channels) => {
    expect(channelsFor(of(event), { ...notify, on: [...on] })).toEqual(channels);
  });

  test("only through the channels that are set", () => {
    const silent = { on: ["end" as const], desktop: false, webhook: null, command: null, on_end: null };
    expect(channelsFor(of("end"), silent)).toEqual([]);
  });

  test("on_end at every end, whatever is asked for, and at nothing else", () => {
    const only = { on: [], desktop: false, webhook: null, command: null, on_end: "c" };
    expect(["end", "stall", "wait", "question"].map((event) => channelsFor(of(event as "end"), only))).toEqual([
      ["on_end"],
      ["on_end"],
      [],
      [],
    ]);
  });
});
