import { expect, test } from "vitest";
import { configureFlow, type FlowRequest, startFlow } from "../../src/compose/flows.ts";
import { takenSteps } from "../../src/compose/step-agents.ts";
import { resumeTask } from "../../src/compose/tasks.ts";
import { findWorkflow } from "../../src/compose/workflow.ts";
import { answer, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { drain } from "../../src/model/event-stream.ts";
import type { EventEnvelope, RunEvent } from "../../src/model/events.ts";
import type { LoopResult } from "../../src/model/records.ts";
import { ACP_PROGRAM } from "../connection/agents/acp-support.ts";
import { says, summaries, writeAgent } from "../support/agents.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";

const STEPS = [
  { id: "initial.task", go: { next: "closure.task" }, more: { runner: { agent: "scripted:first.json" } } },
  { id: "closure.task", go: { closing: null } },
];

/** A project with a story for each of two agents: neither has the other's answer. */
async function box(): Promise<Sandbox> {
  const made = await sandbox();
  await made.write("first.json", JSON.stringify(story(scene("initial.task", answer(says("next"))))));
  await made.write("last.json", JSON.stringify(story(scene("closure.task", answer(says("closing"))))));
  return made;
}

test("each step is taken by its agent, also by a resumed run; --agent is for steps that name none; records and events say who", async () => {
  const made = await box();
  await writeAgent(made, { steps: STEPS });
  const flags = { agent: "scripted:last.json", maxIterations: 1 };
  const request = { project: made.project, flow: "small", parameters: {}, flags };

  const first = await toEnd(startFlow(request, { environment: made.env }));
  const resumed = await toEnd(
    resumeTask({ project: made.project, flags: { maxIterations: 3 } }, { environment: made.env }),
  );

  expect(first.result).toMatchObject({ status: "max_iterations" });
  expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
  const starts = [...first.events, ...resumed.events].filter((event) => event.type === "step-start");
  expect(starts.map(({ step_id, agent }) => [step_id, agent])).toEqual([
    ["initial.task", "scripted:first.json"],
    ["closure.task", "scripted:last.json"],
  ]);
  expect((await summaries(made)).map(({ flow }) => flow?.agent)).toEqual(["scripted:first.json", "scripted:last.json"]);
});

/** Two steps that want a text: no gate, no schema. */
const TEXTS = STEPS.map(({ id, ...step }) => {
  const plain = { structuredGate: undefined, outputSchemaRef: undefined };
  return { ...step, id: id.replace("closure", "continuation"), go: {}, more: { ...plain, transitions: undefined } };
});
const COUNTED = { type: "iterationBudget", config: { maxIterations: 2 } };

function textFlow(program: string) {
  const [first, second] = TEXTS;
  if (!first || !second) throw new Error("two steps are needed");
  return { completion: COUNTED, steps: [{ ...first, more: { ...first.more, runner: { agent: program } } }, second] };
}

test("any program takes a step that wants a text, with no sandbox needed where all others are programs of the format", async () => {
  const made = await box();
  await writeAgent(made, textFlow("command:cat > said.txt; echo done"));
  const flags = { agent: "command:echo second" };
  const request: FlowRequest = { project: made.project, flow: "small", parameters: {}, flags };

  const { definition, configuration } = await configureFlow(request, made.env);
  const { result } = await toEnd(startFlow(request, { environment: made.env }));

  expect(takenSteps(definition, configuration)).toMatchObject([
    { step: "initial.task", agent: "command:cat > said.txt; echo done", is_own: true, withholds_tools: false },
    { step: "continuation.task", agent: "command:echo second", is_own: false },
  ]);
  expect(result).toMatchObject({ status: "completed", stop_reason: "flow_budget" });
  expect(await made.read("said.txt")).toContain("Do initial.task.");
});

test("a program whose tool calls cannot be refused takes no step without a sandbox", async () => {
  const made = await box();
  await writeAgent(made, textFlow("command:echo done"));
  await made.write("endless8.yaml", "sandbox: off\n");
  const start = startFlow({ project: made.project, flow: "small", parameters: {} }, { environment: made.env });

  expect(await toEnd(start)).toMatchObject({
    thrown: { code: "step_agent_unbound", details: { step: "initial.task", agent: "command:echo done" } },
  });
  expect(await made.tasks()).toEqual([]);
});

test("an agent over ACP takes steps with a gate: it is told the form of its answer, and asked again where the answer has another", async () => {
  const made = await box();
  const said = (answer: unknown) => [{ say: typeof answer === "string" ? answer : JSON.stringify(answer) }];
  const prompts = [said("I did it."), said({ ...says("next"), next_action: { action: "dance" } }), said(says("next"))];
  await made.write("acp.json", JSON.stringify({ prompts: [...prompts, said(says("closing"))], diary: "diary" }));
  const steps = STEPS.map(({ more: _, ...step }) => step);
  await writeAgent(made, { steps });
  const agent = { acp: { command: [process.execPath, ACP_PROGRAM, "acp.json"] } };
  await made.write("endless8.yaml", JSON.stringify({ agent }));
  const request: FlowRequest = { project: made.project, flow: "small", parameters: {} };

  const { events, result } = await toEnd(startFlow(request, { environment: made.env }));

  expect(result).toMatchObject({ status: "completed", iterations_used: 3 });
  const again = events.filter((event) => event.type === "notice" && event.notice.code === "asked_again");
  expect(again).toHaveLength(1);
  expect((await made.read("diary")).match(/It must fit this JSON Schema/g)).toHaveLength(4);
});

test("a story of a step that is missing is found before anything runs", async () => {
  const made = await box();
  await writeAgent(made, {
    steps: [
      { ...STEPS[1], id: "closure.task", go: { closing: null }, more: { runner: { agent: "scripted:none.json" } } },
    ],
  });
  const start = startFlow({ project: made.project, flow: "small", parameters: {} }, { environment: made.env });

  expect(await toEnd(start)).toMatchObject({ events: [], thrown: { code: "file_not_found" } });
});

test("a phase of workflow.json names the agent of its turns; one that lacks what a step needs is an error at its place", async () => {
  const made = await box();
  await writeAgent(made, { steps: STEPS });
  const phases = {
    impl: { type: "actionable", priority: 1, agent: "small", runner: { agent: "scripted:last.json" } },
    done: { type: "terminal" },
  };
  const workflow = {
    version: "1.0.0",
    phases,
    labelMapping: { ready: "impl" },
    agents: { small: { role: "transformer", outputPhase: "done" } },
  };
  await made.write(".agent/workflow.json", JSON.stringify(workflow));

  expect((await findWorkflow(made.project))?.phases.impl).toMatchObject({ runner: { scripted: "last.json" } });

  phases.impl.runner.agent = "command:x";
  await made.write(".agent/workflow.json", JSON.stringify(workflow));
  const problem = {
    code: "STEP_AGENT_LACKS",
    path: "phases.impl.runner.agent",
    params: { stepId: "closure.task", capability: "structured_answers" },
  };
  await expect(findWorkflow(made.project)).rejects.toMatchObject({
    code: "workflow_invalid",
    details: { problems: [problem] },
  });
});

async function toEnd(stream: AsyncGenerator<EventEnvelope, LoopResult>) {
  const events: RunEvent[] = [];
  try {
    const result = await drain(stream, ({ event }) => void events.push(event));
    return { events, result };
  } catch (thrown) {
    return { events, thrown };
  }
}
