import type { FlowRun } from "./flow-run.ts";

/** What the boundary hook will do with which issue; undefined when there is nothing to do. */
export interface BoundaryPlan {
  issue: number;
  action: "close" | "label-only" | "label-and-close";
  add: readonly string[];
  remove: readonly string[];
}

export function boundaryPlan({ definition, parameters }: FlowRun): BoundaryPlan | undefined {
  const { enabled, defaultClosureAction: action, labels } = definition.agent.runner.integrations.github;
  const issue = Number(parameters.issue);
  return enabled && Number.isInteger(issue) && issue > 0 ? { issue, action, ...labels } : undefined;
}

export function closesIssue(run: FlowRun): boolean {
  const plan = boundaryPlan(run);
  return plan !== undefined && plan.action !== "label-only";
}
