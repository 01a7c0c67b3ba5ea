import { expect, test } from "vitest";
import { E8Error, type RunEvent, runAgent } from "../../../src/index.ts";
import { answers, byProgram, type StepSketch, says, writeAgent } from "../../support/agents.ts";
import { sandbox } from "../../support/sandbox.ts";

const STEPS: StepSketch[] = [
  { id: "initial.task", go: { next: "closure.task" }, more: byProgram },
  { id: "closure.task", go: { closing: null, repeat: "initial.task" }, more: byProgram },
];

test.for([
  { outcome: "completed", intents: ["next", "closing"] },
  { outcome: "max_iterations", intents: ["next", "repeat"] },
])("an agent goes one way, created → started → running → stopped, also when it ends as $outcome", async (one) => {
  const box = await sandbox();
  await writeAgent(box, { steps: STEPS });
  await answers(box, ...one.intents.map((intent) => says(intent)));
  const events: RunEvent[] = [];

  const options = { project: box.project, environment: box.env, onProgress: (event: RunEvent) => events.push(event) };
  const { status } = await runAgent("small", {}, options);

  expect(status).toBe(one.outcome);
  const states = events.flatMap((event) => (event.type === "agent-state" ? [event.state] : []));
  expect(states).toEqual(["created", "started", "running", "stopped"]);
  const steps = events.flatMap((event) => (event.type === "step-start" ? [event.step_id] : []));
  expect(steps.slice(0, 2)).toEqual(["initial.task", "closure.task"]);
  expect(events.at(-1)?.type).toBe("run-end");
});

test("a broken definition and a wrong parameter are thrown before anything is started", async () => {
  const box = await sandbox();
  const count = { type: "number", description: "how many", required: true, cli: "--count" };
  await writeAgent(box, { steps: STEPS, parameters: { count } });
  const options = { project: box.project, environment: box.env };

  await expect(runAgent("small", { count: "many" }, options)).rejects.toThrow(E8Error);
  await expect(runAgent("small", {}, options)).rejects.toThrow("--count");
  await box.write(".agent/small/agent.json", "{}");
  await expect(runAgent("small", { count: 1 }, options)).rejects.toMatchObject({ code: "definition_invalid" });
  expect(await box.tasks()).toEqual([]);
});
