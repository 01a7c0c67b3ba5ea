import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFlow } from "../../src/compose/flows.ts";
import { resumeTask } from "../../src/compose/tasks.ts";
import { answer, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import type { EventEnvelope, RunEvent } from "../../src/model/events.ts";
import type { LoopResult } from "../../src/model/records.ts";
import { answers, byProgram, says, writeAgent } from "../support/agents.ts";
import { sandbox } from "../support/sandbox.ts";

const STEPS = [
  { id: "initial.task", go: { next: "closure.task", repeat: "initial.task" }, more: byProgram },
  { id: "closure.task", go: { closing: null, repeat: "initial.task" }, more: byProgram },
];

test("a definition is loaded before the run is announced: a broken one announces nothing, a corrected one continues", async () => {
  const box = await sandbox();
  const options = { environment: box.env };
  await writeAgent(box, { steps: STEPS, completion: { type: "stepMachine", config: { maxIterations: 1 } } });
  await answers(box, says("next"), says("closing"));
  const first = await toEnd(startFlow({ project: box.project, flow: "small", parameters: {} }, options));
  const registry = await box.read(".agent/small/steps_registry.json");

  await box.write(".agent/small/steps_registry.json", "{");
  const broken = await toEnd(resumeTask({ project: box.project, flags: { maxIterations: 3 } }, options));
  await box.write(".agent/small/steps_registry.json", registry);
  const mended = await toEnd(resumeTask({ project: box.project }, options));

  expect(first.result).toMatchObject({ status: "max_iterations", iterations_used: 1 });
  expect(broken).toMatchObject({ events: [], thrown: { code: "definition_invalid" } });
  expect(mended.events[0]).toMatchObject({ type: "run-start", resumed_after: 1 });
  expect(mended.result).toMatchObject({ status: "completed", iterations_used: 2 });
});

test("resuming a task says whether its flow has changed since the task began", async () => {
  const box = await sandbox();
  const options = { environment: box.env };
  const registry = {
    validators: { never: { type: "command", command: "false" } },
    completionSteps: {
      "closure.task": {
        stepId: "closure.task",
        name: "Never?",
        c2: "retry",
        c3: "task",
        completionConditions: [{ validator: "never" }],
      },
    },
  };
  await writeAgent(box, { steps: STEPS, registry });
  await answers(box, says("next"), says("closing"), says("next"), says("closing"));
  const request = { project: box.project, flow: "small", parameters: {}, flags: { maxIterations: 2 } };
  const first = await toEnd(startFlow(request, options));
  const same = await toEnd(resumeTask({ project: box.project, flags: { maxIterations: 3 } }, options));

  const weakened = (await box.read(".agent/small/steps_registry.json")).replace('"false"', '"true"');
  await box.write(".agent/small/steps_registry.json", weakened);
  await box.write(".agent/small/notes.md", "nothing to see here");
  const changed = await toEnd(resumeTask({ project: box.project, flags: { maxIterations: 4 } }, options));

  expect([first, same].map(({ result }) => result?.status)).toEqual(["max_iterations", "max_iterations"]);
  expect(same.events.filter(({ type }) => type === "notice")).toEqual([]);
  const files = "A notes.md, M steps_registry.json";
  expect(changed.events[1]).toMatchObject({
    type: "notice",
    notice: { code: "definition_changed", params: { name: "small", files } },
  });
  expect(changed.result?.status).toBe("completed");
});

test("a run says before its end whether files of its flow changed meanwhile", async () => {
  const box = await sandbox();
  const options = { environment: box.env };
  const writes = 'echo easier > .agent/small/notes.md; cat "$E8_ITERATION.json"';
  const meddling = { runner: { command: "sh", args: ["-c", writes] } };
  await writeAgent(box, { steps: STEPS.map((step, index) => (index === 0 ? { ...step, more: meddling } : step)) });
  await answers(box, says("next"), says("closing"));
  const request = { project: box.project, flow: "small", parameters: {}, flags: { maxIterations: 1 } };

  const meddled = await toEnd(startFlow(request, options));
  const again = { project: box.project, flags: { maxIterations: 2 } };
  const resumed = await toEnd(resumeTask(again, { ...options, acceptChanges: true }));

  const params = { name: "small", files: "A notes.md" };
  const [told, end] = meddled.events.filter(({ type }) => type === "notice" || type === "run-end");
  expect(told).toMatchObject({ notice: { code: "definition_changed_during", params } });
  expect(end?.type).toBe("run-end");
  expect(resumed.result?.status).toBe("completed");
  expect(resumed.events.filter(({ type }) => type === "notice")).toMatchObject([
    { notice: { code: "definition_changed", params } },
  ]);
});

test("a run that was played from a story is played from it again, and never asks the real model", async () => {
  const box = await sandbox();
  const options = { environment: box.env };
  const steps = STEPS.map((step) => (step.id === "closure.task" ? { ...step, more: {} } : step));
  await writeAgent(box, { steps });
  await answers(box, says("next"));
  const script = join(box.project, "story.yaml");
  const told = JSON.stringify(story(scene("closure.task", answer(says("closing")))));
  await box.write("story.yaml", told);
  const request = { project: box.project, flow: "small", parameters: {}, script, flags: { maxIterations: 1 } };
  const first = await toEnd(startFlow(request, options));

  await rm(script);
  const without = await toEnd(resumeTask({ project: box.project, flags: { maxIterations: 3 } }, options));
  await box.write("story.yaml", told);
  const resumed = await toEnd(resumeTask({ project: box.project, flags: { maxIterations: 3 } }, options));

  expect(first.result).toMatchObject({ status: "max_iterations" });
  expect(without).toMatchObject({ events: [], thrown: { code: "story_missing" } });
  expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
  expect(resumed.events[1]).toMatchObject({ type: "notice", notice: { code: "played_again", params: { script } } });
  expect(box.model.requests).toEqual([]);
});

test("a program whose tool calls cannot be refused does no step of a flow, and a resumed one stays as it was", async () => {
  const box = await sandbox();
  const { project, env: environment } = box;
  await writeAgent(box, { steps: STEPS.map((step) => (step.id === "closure.task" ? { ...step, more: {} } : step)) });
  await answers(box, says("next"));
  await box.write("story.json", JSON.stringify(story(scene("closure.task", answer(says("closing"))))));
  await box.write("endless8.yaml", "agent: { scripted: story.json }\n");
  const request = { project, flow: "small", parameters: {} };
  const lacks = [{ step: "closure.task", capability: "structured_answers" }];
  const unfit = { code: "flow_agent_unfit", details: { agent: "command:touch worked", lacks } };

  const flags = { agentCommand: "touch worked" };
  expect(await toEnd(startFlow({ ...request, flags }, { environment }))).toMatchObject({ events: [], thrown: unfit });
  expect(await box.tasks()).toEqual([]);
  await toEnd(startFlow({ ...request, flags: { maxIterations: 1 } }, { environment }));
  expect(await toEnd(resumeTask({ project, flags }, { environment }))).toMatchObject({ events: [], thrown: unfit });
  const resumed = await toEnd(resumeTask({ project, flags: { maxIterations: 3 } }, { environment }));
  expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
});

async function toEnd(stream: AsyncGenerator<EventEnvelope, LoopResult>) {
  const events: RunEvent[] = [];
  try {
    for (;;) {
      const step = await stream.next();
      if (step.done) return { events, result: step.value };
      events.push(step.value.event);
    }
  } catch (thrown) {
    return { events, thrown };
  }
}
