import { expect, test } from "vitest";
import type { Notifier } from "../../src/connection/ports/notifier.ts";
import { notifying } from "../../src/execution/notifying.ts";
import type { RunEvent } from "../../src/model/events.ts";
import type { LoopResult } from "../../src/model/records.ts";
import { ManualClock } from "../support/fakes.ts";
import { noticeCodes } from "../support/run-goal.ts";
import { configuration, finalResult } from "../support/stored.ts";

const ID = "2026-01-23T13-30-00";
const clock = new ManualClock();
const notify = {
  on: ["end", "question", "wait"] as const,
  desktop: false,
  webhook: null,
  command: "tell",
  on_end: null,
};
const waiting = {
  type: "waiting",
  code: "usage_limit",
  reason: "",
  until: clock.now().getTime() + 9e6,
  attempt: 1,
} as const;
const questions: RunEvent = { type: "clarification", questions: [] };
const phase = { type: "phase-start", phase: "execute", iteration: 1 } as const;
const end = { type: "run-end", result: finalResult(ID) } as const;

async function* replay(events: readonly RunEvent[]): AsyncGenerator<RunEvent, LoopResult> {
  yield* events;
  return finalResult(ID);
}

async function told(events: readonly RunEvent[], send?: Notifier["send"], settings: object = {}) {
  const sent: string[] = [];
  const notifier: Notifier = {
    send: async (notification, channels) => {
      sent.push(`${notification.event} ${channels.join()}`);
      return (await send?.(notification, channels)) ?? [];
    },
  };
  const task = {
    ...{ version: 1 as const, task_id: ID, created_at: "", project: "/p", intake: null, answers: [], flow: null },
    ...{ boundary: null, configuration: configuration({ notify: { ...notify, on: [...notify.on], ...settings } }) },
  };
  const seen: RunEvent[] = [];
  for await (const event of notifying(replay(events), { notifier, clock, task: () => task })) seen.push(event);
  return { sent, seen };
}

test("a wait is told once, however often the run tries again; once it has gone on, the next one is told", async () => {
  const { sent } = await told([waiting, waiting, waiting, phase, waiting, phase, end]);
  expect(sent).toEqual(["wait command", "wait command", "end command"]);
});

test("a run that ends with the questions that were told is not told again, but on_end is still run", async () => {
  expect((await told([questions, end])).sent).toEqual(["question command"]);
  expect((await told([questions, end], undefined, { on_end: "x" })).sent).toEqual(["question command", "end on_end"]);
  expect((await told([questions, phase, end])).sent).toEqual(["question command", "end command"]);
});

test("a notification that fails is a notice before the end, and nothing else changes", async () => {
  const { seen } = await told([waiting, phase, end], async () => [{ channel: "command", problem: "exit code 1" }]);
  expect(noticeCodes(seen)).toEqual(["notification_failed", "notification_failed"]);
  expect(seen.at(-1)).toEqual(end);
});

test("the run goes on while a notification is being sent, and waits for it only at its end", async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const slow: Notifier["send"] = async ({ event }) => {
    if (event === "wait") await arrived;
    return [];
  };
  const events = told([waiting, phase, { type: "text", role: "executor", text: "" }, end], slow);
  await Promise.resolve();
  arrive();
  expect((await events).seen).toHaveLength(4);
});
