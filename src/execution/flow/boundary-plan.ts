import type { CompletionConfig } from "../../model/definition/agent-file.ts";
import type { FlowRun } from "./flow-run.ts";

/** What the boundary hook will do with which issue; undefined when there is nothing to do. */
export interface BoundaryPlan {
  issue: number;
  action: "close" | "label-only" | "label-and-close";
  add: readonly string[];
  remove: readonly string[];
}

/** The parameter that names the issue: the one that completion looks at, or one of the usual names. */
function issueNames({ resourceParam }: CompletionConfig): string[] {
  const names = [resourceParam, "issue", "issueNumber", "issue_number", "issue-number"];
  return names.filter((name) => name !== undefined);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "";
}

export function boundaryPlan({ definition, parameters }: FlowRun): BoundaryPlan | undefined {
  const { enabled, defaultClosureAction: action, labels } = definition.agent.runner.integrations.github;
  const issue = Number(
    issueNames(definition.agent.runner.completion.config)
      .map((name) => parameters[name])
      .find(isGiven),
  );
  return enabled && Number.isInteger(issue) && issue > 0 ? { issue, action, ...labels } : undefined;
}

export function closesIssue(run: FlowRun): boolean {
  const plan = boundaryPlan(run);
  return plan !== undefined && plan.action !== "label-only";
}
