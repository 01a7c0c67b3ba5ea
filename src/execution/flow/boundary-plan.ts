import type { TrackedItem } from "../../connection/ports/tracker.ts";
import { observationsNeeded } from "../../judgment/flow/completion.ts";
import type { Completion } from "../../model/flow/agent-file.ts";
import { isGiven, numberIn, trackedBy } from "./external-state.ts";
import type { FlowRun } from "./flow-run.ts";

/** What the boundary hook will do with which issue; undefined when there is nothing to do. */
export interface BoundaryPlan {
  issue: number;
  action: "close" | "label-only" | "label-and-close";
  add: readonly string[];
  remove: readonly string[];
}

const USUAL_NAMES = ["issue", "issueNumber", "issue_number", "issue-number"];

/** The parameters that may name the issue: the one that completion alone looks at, and the usual names. */
function issueNames({ config: { resourceType = "issue", resourceParam } }: Completion): string[] {
  return resourceType === "issue" && resourceParam !== undefined ? [resourceParam, ...USUAL_NAMES] : USUAL_NAMES;
}

export function boundaryPlan(run: FlowRun): BoundaryPlan | undefined {
  const { completion, integrations } = run.definition.agent.runner;
  const { enabled, defaultClosureAction: action, labels } = integrations.github;
  const name = issueNames(completion).find((one) => isGiven(run.parameters[one]));
  return enabled && name !== undefined ? { issue: numberIn(run, name), action, ...labels } : undefined;
}

/** The issue that the boundary hook will close. */
export function issueToClose(run: FlowRun): number | undefined {
  const plan = boundaryPlan(run);
  return plan?.action === "label-only" ? undefined : plan?.issue;
}

/** The issues and pull requests whose state completion waits for. */
export function awaitedItems(run: FlowRun): Pick<TrackedItem, "kind" | "number">[] {
  const { external } = observationsNeeded(run.definition.agent.runner.completion);
  return external.flatMap(({ config }) => trackedBy(run, config) ?? []);
}
