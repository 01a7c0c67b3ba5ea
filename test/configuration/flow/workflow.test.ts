import { expect, test } from "vitest";
import { agentSettings } from "../../../src/compose/agent-settings.ts";
import { readWorkflow } from "../../../src/configuration/flow/read/workflow.ts";
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
  readWorkflow(text, report, agentSettings);
  return report.problems();
}

test("the format's own example has no problem", () => {
  expect(workflowProblems(JSON.stringify(workflow()))).toEqual([]);
});

test("the phases and agents that name each other are checked, all at once", () => {
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

test.each([
  ["closeCondition", { closeCondition: "approved" }, "closeCondition stands without closeOnComplete."],
  ["closeCondition", { closeOnComplete: true, closeCondition: "aproved" }, 'The agent has no outcome "aproved".'],
])("%s %j is refused", (key, more, problem) => {
  const { agents, ...rest } = workflow();
  const broken = { ...rest, agents: { ...agents, reviewer: { ...agents.reviewer, ...more } } };

  expect(workflowProblems(JSON.stringify(broken)).map(told)).toMatchObject([
    { path: `agents.reviewer.${key}`, message: problem },
  ]);
});

test.each<[string, object, string]>([
  ["labelMapping", { labelMapping: {} }, "labelMapping names no label."],
  ["prioritizer.defaultLabel", { prioritizer: { agent: "p", labels: ["P1"], defaultLabel: "P2" } }, 'no label "P2"'],
  ["labels.a.color", { labels: { a: { color: "red" } } }, ""],
  ["handoffs[0].when.fromAgent", { handoffs: [HANDOFF("nobody")] }, 'no agent "nobody"'],
])("%s is checked", (path, more, problem) => {
  expect(workflowProblems(JSON.stringify({ ...workflow(), ...more })).map(told)).toMatchObject([
    { path, message: expect.stringContaining(problem) },
  ]);
});

function HANDOFF(fromAgent: string) {
  const emit = { type: "review", schemaRef: "review@1", path: "out/review.json" };
  return { id: "h", when: { fromAgent, outcome: "success" }, emit, payloadFrom: {}, persistPayloadTo: "none" };
}

test("keys that change nothing are named as warnings, and the workflow is read all the same", () => {
  const report = createReport();
  const more = {
    rules: { rateLimitThreshold: 0.9 },
    subjectStore: { path: "tmp" },
    issueStore: { path: "tmp" },
    issueSource: { kind: "ghRepoIssues", projectMembership: "unbound" },
    payloadSchema: { $ref: "x" },
    projectBinding: { donePhase: "done" },
  };

  expect(readWorkflow(JSON.stringify({ ...workflow(), ...more }), report, agentSettings)).toMatchObject({
    rules: { maxCycles: 5 },
  });
  expect(
    report
      .problems()
      .map(({ path, severity }) => `${severity} ${path}`)
      .sort(),
  ).toEqual([
    "warning issueSource",
    "warning issueStore",
    "warning payloadSchema",
    "warning projectBinding",
    "warning rules.rateLimitThreshold",
    "warning subjectStore",
  ]);
});

test.each<[object, object]>([
  [{ primary: { kind: "direct" } }, { closeOnComplete: true }],
  [
    { primary: { kind: "outboxPre" }, cascade: false, condition: "approved" },
    { closeOnComplete: true, closeCondition: "approved" },
  ],
  [{ primary: { kind: "none" } }, { closeOnComplete: false }],
  [{ primary: { kind: "custom", channel: { channelId: "x" } } }, { closeOnComplete: false }],
])("closeBinding %j says when the issue is closed, whatever closeOnComplete says", (closeBinding, closing) => {
  const { agents, ...rest } = workflow();
  const reviewer = { ...agents.reviewer, closeOnComplete: false, closeBinding };
  const report = createReport();

  const read = readWorkflow(JSON.stringify({ ...rest, agents: { ...agents, reviewer } }), report, agentSettings);

  expect(read?.agents.reviewer).toMatchObject(closing);
  expect(report.hasErrors()).toBe(false);
});

test("the condition of a closeBinding is an outcome of its agent", () => {
  const { agents, ...rest } = workflow();
  const closeBinding = { primary: { kind: "direct" }, condition: "aproved" };
  const broken = { ...rest, agents: { ...agents, reviewer: { ...agents.reviewer, closeBinding } } };

  expect(workflowProblems(JSON.stringify(broken)).map(told)).toMatchObject([
    { path: "agents.reviewer.closeBinding.condition", message: 'The agent has no outcome "aproved".' },
  ]);
});

test("a phase of another type is refused with its place", () => {
  const { phases, ...rest } = workflow();
  const broken = { ...rest, phases: { ...phases, impl: { ...phases.impl, type: "inProgress" } } };

  expect(workflowProblems(JSON.stringify(broken)).map(told)).toMatchObject([
    { path: "phases.impl.type", message: expect.stringContaining("inProgress") },
  ]);
});

test("defaults are filled in, labels get their prefix, and every label that is used is listed once", () => {
  const { rules: _rules, ...rest } = workflow();
  const more = {
    labelPrefix: "docs",
    labels: { ready: { color: "0e8a16", description: "To do" }, marker: { color: "FFFFFF", role: "marker" } },
    prioritizer: { agent: "p", labels: ["P1", "P2"] },
  };
  const read = readWorkflow(JSON.stringify({ ...rest, ...more }), createReport(), agentSettings);

  expect(read?.rules).toEqual({ maxCycles: 5, cycleDelayMs: 10_000, maxConsecutivePhases: 0 });
  expect(read?.labelPhases[0]).toEqual({ label: "docs:ready", phase: "impl" });
  expect(read?.labels).toEqual([
    { name: "docs:ready", color: "0e8a16", description: "To do" },
    { name: "marker", color: "FFFFFF" },
    { name: "docs:review" },
    { name: "docs:done" },
    { name: "docs:blocked" },
    { name: "P1" },
    { name: "P2" },
  ]);
  expect(read?.agents.iterator).toEqual({
    directory: "iterator",
    lands: true,
    outputPhases: { success: "review" },
    fallbackPhase: "blocked",
    closeOnComplete: false,
  });
});

test("a workflow.json in an agent's directory is checked with it", () => {
  expect(codes(problemsOf(fixture("mini").set("workflow.json", JSON.stringify(workflow()))))).toEqual([]);
  expect(codes(problemsOf(fixture("mini").set("workflow.json", "[]")))).toEqual(["AGENT_VALUE_INVALID"]);
});
