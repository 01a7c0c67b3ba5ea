import type { TrackedItem } from "../../connection/ports.ts";
import { observationsNeeded } from "../../judgment/flow/completion.ts";
import type { RunContext } from "../run-context.ts";
import { boundaryPlan, closesIssue } from "./boundary-plan.ts";
import { trackedBy } from "./external-state.ts";
import type { FlowRun } from "./flow-run.ts";

const NO_CHANGE = { add: [], remove: [] } as const;

/** What cannot be found now would fail the run at its end: it is looked for before anything is spent. */
export async function lookAhead({ ports, signal }: RunContext, run: FlowRun): Promise<void> {
  if (ports.files.task.boundary === "done") return;
  for (const { kind, number } of itemsNeeded(run)) await run.tracker.get(kind, number, signal);
  const plan = boundaryPlan(run);
  // Labels may also be those of a pull request, which nobody can read as an issue.
  if (plan?.action === "label-only") await run.tracker.label(plan.issue, NO_CHANGE, signal);
}

/** An issue that the hook closes is not read by the completion, but by the hook. */
function itemsNeeded(run: FlowRun): Pick<TrackedItem, "kind" | "number">[] {
  const { external } = observationsNeeded(run.definition.agent.runner.completion);
  const awaited = external.flatMap(({ config }) => trackedBy(run, config) ?? []);
  const plan = boundaryPlan(run);
  if (!plan || !closesIssue(run)) return awaited;
  return [{ kind: "issue", number: plan.issue }, ...awaited.filter(({ kind }) => kind !== "issue")];
}
