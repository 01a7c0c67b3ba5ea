import { agentSettings } from "../../src/compose/agent-settings.ts";
import { readWorkflow } from "../../src/configuration/flow/read/workflow.ts";
import { createReport } from "../../src/configuration/flow/report.ts";
import type { Workflow } from "../../src/model/flow/workflow.ts";

export const WORKFLOW = {
  version: "1.0.0",
  phases: {
    plan: { type: "actionable", priority: 3, agent: "planner" },
    impl: { type: "actionable", priority: 2, agent: "iterator" },
    review: { type: "actionable", priority: 1, agent: "reviewer" },
    done: { type: "terminal" },
    blocked: { type: "blocking" },
  },
  labelMapping: { ready: "impl", todo: "impl", review: "review", plan: "plan", done: "done", blocked: "blocked" },
  labels: {
    ready: { color: "0e8a16", description: "To be implemented" },
    sentinel: { color: "ffffff", role: "marker" },
  },
  agents: {
    planner: { role: "transformer", outputPhase: "impl" },
    iterator: {
      role: "transformer",
      directory: "builder",
      outputPhase: "review",
      fallbackPhases: { too_large: "plan" },
      fallbackPhase: "blocked",
    },
    reviewer: {
      role: "validator",
      outputPhases: { approved: "done", rejected: "impl", dropped: "done" },
      fallbackPhase: "blocked",
      closeOnComplete: true,
      closeCondition: "approved",
    },
  },
  rules: { maxCycles: 5, cycleDelayMs: 300 },
  handoff: { commentTemplates: { reviewerRejected: "Not yet: {reason} {absent}", iteratorToSuccess: "{summary}" } },
  prioritizer: { agent: "prioritizer", labels: ["P1", "P2", "P3"], defaultLabel: "P2" },
};

/** The workflow above, with other keys. */
export function workflowOf(more: object = {}): Workflow {
  const report = createReport();
  const workflow = readWorkflow(JSON.stringify({ ...WORKFLOW, ...more }), report, agentSettings);
  if (!workflow) throw new Error(JSON.stringify(report.problems()));
  return workflow;
}
