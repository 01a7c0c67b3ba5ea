import type { TrackedItem } from "../../connection/ports/tracker.ts";
import type { RunContext } from "../run-context.ts";
import { awaitedItems, boundaryPlan, issueToClose } from "./boundary-plan.ts";
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
  const awaited = awaitedItems(run);
  const closed = issueToClose(run);
  if (closed === undefined) return awaited;
  const others = awaited.filter(({ kind, number }) => kind !== "issue" || number !== closed);
  return [{ kind: "issue", number: closed }, ...others];
}
