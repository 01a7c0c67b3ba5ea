import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storeOf } from "../../src/compose/store.ts";
import { cancelTask, configureTask, startTask } from "../../src/compose/tasks.ts";
import type { EventEnvelope } from "../../src/model/events.ts";
import type { LoopResult } from "../../src/model/records.ts";
import { sandbox } from "../support/sandbox.ts";
import { all } from "../support/stored.ts";

const TASK = { task: "Wait", criteria: [{ type: "command", command: "true" }], agent: { command: "exec sleep 600" } };

async function toEnd(stream: AsyncGenerator<EventEnvelope, LoopResult>, onEvent: (one: EventEnvelope) => void) {
  for (;;) {
    const step = await stream.next();
    if (step.done) return step.value;
    onEvent(step.value);
  }
}

test("a run in this process that is cancelled through its store ends as cancelled and disturbs no other run", async () => {
  const { project, env: environment } = await sandbox();
  const signals: NodeJS.Signals[] = [];
  const heard = (signal: NodeJS.Signals) => void signals.push(signal);
  process.on("SIGTERM", heard);
  let cancelled: Promise<boolean> | undefined;
  const announced: EventEnvelope[] = [];

  const configured = await configureTask(TASK, project, environment);
  const result = await toEnd(startTask(configured, { environment }), (one) => {
    announced.push(one);
    if (one.event.type === "phase-start" && one.event.phase === "execute") cancelled = cancelTask(project, one.task_id);
  });
  process.off("SIGTERM", heard);

  expect(result).toMatchObject({ status: "cancelled", stop_reason: "cancelled" });
  expect(await cancelled).toBe(true);
  expect(signals).toEqual([]);
  expect(announced.at(-1)?.event).toEqual({ type: "run-end", result });
  expect(await all(storeOf(project).events(result.task_id))).toEqual(announced);
  await expect(cancelTask(project, result.task_id)).rejects.toMatchObject({ code: "task_not_running" });
});

test("run-end is the last event, also where the copy of the ending cannot be written", async () => {
  const { project, env: environment } = await sandbox();
  await mkdir(join(project, "copies"));
  const task = { ...TASK, agent: { command: "echo done" }, persist: "copies" };
  const announced: EventEnvelope[] = [];
  const configured = await configureTask(task, project, environment);
  const result = await toEnd(startTask(configured, { environment }), (one) => void announced.push(one));

  expect(result).toMatchObject({ error_code: "file_is_directory" });
  expect(announced.slice(-2).map(({ event }) => event)).toMatchObject([
    { type: "notice", notice: { code: "copy_unwritable" } },
    { type: "run-end", result },
  ]);
});
