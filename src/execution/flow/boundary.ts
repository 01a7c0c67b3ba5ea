import type { TrackedItem } from "../../connection/ports/tracker.ts";
import { E8Error, type ErrorParams } from "../../model/errors.ts";
import type { RunEvent } from "../../model/events.ts";
import type { RunState } from "../../model/state.ts";
import { joined, type Statement, WordedError, wordingOf } from "../../model/statement.ts";
import { haltIfAborted } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { awaitedItems, type BoundaryPlan, boundaryPlan, issueToClose } from "./boundary-plan.ts";
import { type FlowRun, flowFailed } from "./flow-run.ts";

/**
 * Closes the issue and sets its labels, once, after the verdict. That it was begun is written down first: whoever resumes a
 * run that was killed or cancelled in between looks at the issue before anything is done again.
 */
export async function* boundaryHook(
  context: RunContext,
  run: FlowRun,
  state: RunState,
): AsyncGenerator<RunEvent, void> {
  const { signal, ports } = context;
  const { files } = ports;
  const plan = boundaryPlan(run);
  if (!plan || files.task.boundary === "done") return;
  haltIfAborted(signal);
  try {
    const isBegun = files.task.boundary === "begun";
    const isDone = isBegun && isSettled(await run.tracker.get("issue", plan.issue, signal), plan);
    if (!isBegun) await files.save({ boundary: "begun" });
    if (!isDone) await settle(run, plan, signal);
    await confirm(run, plan, signal);
    await files.save({ boundary: "done" });
  } catch (error) {
    haltIfAborted(signal);
    if (!isOfTheHook(error)) throw error; // such as a full disk, which says itself what to do
    const where = { step: state.judgment?.flow?.step_id ?? "", iteration: state.iterations };
    throw flowFailed("FAILED_BOUNDARY_HOOK", { ...where, problem: problemOf(error) });
  }
  yield { type: "boundary", issue: plan.issue, action: plan.action };
}

async function settle({ tracker }: FlowRun, plan: BoundaryPlan, signal: AbortSignal): Promise<void> {
  const { issue, action, add, remove } = plan;
  if (action !== "close" && add.length + remove.length > 0) await tracker.label(issue, { add, remove }, signal);
  if (action !== "label-only") await tracker.close("issue", issue, signal);
}

/** Where completion waits for the issue's state, our having closed it is not enough: it must be closed. */
async function confirm(run: FlowRun, { issue }: BoundaryPlan, signal: AbortSignal): Promise<void> {
  const isAwaited = awaitedItems(run).some(({ kind, number }) => kind === "issue" && number === issue);
  if (!isAwaited || issueToClose(run) === undefined) return;
  const { state } = await run.tracker.get("issue", issue, signal);
  if (state !== "CLOSED") throw stillOpen(issue, state);
}

function stillOpen(issue: number, state: string): WordedError {
  return new WordedError({
    en: `issue ${issue} is ${state} after it was closed`,
    ja: `イシュー ${issue} を閉じましたが、状態は ${state} のままです`,
  });
}

function isOfTheHook(error: unknown): boolean {
  return !(error instanceof E8Error) || error.code === "tracker_failed";
}

function problemOf(error: unknown): Statement {
  if (!(error instanceof E8Error)) return wordingOf(error);
  const { what, problem } = error.details as ErrorParams["tracker_failed"];
  return joined([what, problem], ": ");
}

function isSettled({ state, labels }: TrackedItem, { action, add, remove }: BoundaryPlan): boolean {
  const isLabelled = add.every((label) => labels.includes(label)) && !remove.some((label) => labels.includes(label));
  return (action === "close" || isLabelled) && (action === "label-only" || state === "CLOSED");
}
