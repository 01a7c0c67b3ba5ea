/** A workflow.json that uses most of its keys. */
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
