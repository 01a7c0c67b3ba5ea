import { expect, test } from "vitest";
import { checkWorkflow } from "../../../src/configuration/flow/read/workflow.ts";
import { createReport } from "../../../src/configuration/flow/report.ts";
import { codes, fixture, problemsOf, told } from "./support.ts";

const workflow = () => ({
  version: "1.0.0",
  phases: {
    impl: { type: "actionable", priority: 2, agent: "iterator" },
    review: { type: "actionable", priority: 1, agent: "reviewer" },
    done: { type: "terminal" },
    blocked: { type: "blocking" },
  },
  labelMapping: { ready: "impl", review: "review", done: "done", blocked: "blocked" },
  agents: {
    iterator: { role: "transformer", outputPhase: "review", fallbackPhase: "blocked" },
    reviewer: { role: "validator", outputPhases: { approved: "done", rejected: "impl" }, fallbackPhase: "blocked" },
  },
  rules: { maxCycles: 5, cycleDelayMs: 0 },
});

function workflowProblems(text: string) {
  const report = createReport();
  checkWorkflow(text, report);
  return report.problems();
}

test("the format's own example has no problem", () => {
  expect(workflowProblems(JSON.stringify(workflow()))).toEqual([]);
});

test("what phases and agents say of each other is checked, all at once", () => {
  const { phases, agents, labelMapping, ...rest } = workflow();
  const broken = {
    ...rest,
    phases: { ...phases, impl: { type: "actionable" }, review: { ...phases.review, agent: "reviwer" } },
    labelMapping: { ...labelMapping, ready: "implement" },
    agents: { iterator: { role: "transformer" }, reviewer: { ...agents.reviewer, outputPhases: { approved: "don" } } },
    rulez: {},
  };

  expect(
    workflowProblems(JSON.stringify(broken, null, 2))
      .map(told)
      .map(({ path, message }) => `${path}: ${message}`),
  ).toEqual([
    "phases.impl: An actionable phase needs an agent.",
    "phases.impl: An actionable phase needs a priority.",
    'phases.review.agent: There is no agent "reviwer".',
    'labelMapping.ready: There is no phase "implement".',
    "agents.iterator: A transformer needs outputPhase.",
    'agents.reviewer.outputPhases.approved: There is no phase "don".',
    "rulez: Unknown key rulez.",
  ]);
});

test("a workflow.json in an agent's directory is checked with it", () => {
  expect(codes(problemsOf(fixture("mini").set("workflow.json", JSON.stringify(workflow()))))).toEqual([]);
  expect(codes(problemsOf(fixture("mini").set("workflow.json", "[]")))).toEqual(["AGENT_VALUE_INVALID"]);
});
