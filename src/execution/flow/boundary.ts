import { observationsNeeded } from "../../judgment/flow/completion.ts";
import { E8Error, type ErrorParams, problemOf } from "../../model/errors.ts";
import type { Completion } from "../../model/flow/agent-file.ts";
import { ISSUE_PARAMETERS } from "../../model/flow/issue-parameter.ts";
import type { TrackedItem } from "../../model/issue.ts";
import { listed, message, type Statement } from "../../model/message.ts";
import type { RunState } from "../../model/state.ts";
import type { Effect } from "../effects.ts";
import { Halt, haltIfAborted } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { isGiven, numberIn, trackedBy } from "./external-state.ts";
import { type FlowRun, flowFailed } from "./flow-run.ts";
import { releaseEffects, requireTag } from "./release.ts";

/** What the boundary hook will do to an issue. */
interface BoundaryPlan {
  issue: number;
  action: FlowRun["definition"]["agent"]["runner"]["integrations"]["github"]["defaultClosureAction"];
  add: readonly string[];
  remove: readonly string[];
}

/** The parameters that may name the issue: the one that completion looks at, then the usual names. */
function issueNames({ config: { resourceType = "issue", resourceParam } }: Completion): string[] {
  return resourceType === "issue" && resourceParam !== undefined
    ? [resourceParam, ...ISSUE_PARAMETERS]
    : ISSUE_PARAMETERS;
}

function boundaryPlan(run: FlowRun): BoundaryPlan | undefined {
  const { completion, integrations } = run.definition.agent.runner;
  const { enabled, defaultClosureAction: action, labels } = integrations.github;
  const name = issueNames(completion).find((one) => isGiven(run.parameters[one]));
  return enabled && canClose(run) && name !== undefined ? { issue: numberIn(run, name), action, ...labels } : undefined;
}

function canClose({ definition: { registry } }: FlowRun): boolean {
  return Object.values(registry.steps).some(({ structuredGate }) => structuredGate?.allowedIntents.includes("closing"));
}

/** The issue that the boundary hook will close. */
export function issueToClose(run: FlowRun): number | undefined {
  const plan = boundaryPlan(run);
  return plan?.action === "label-only" ? undefined : plan?.issue;
}

/** The issues and pull requests whose state completion waits for. */
function awaitedItems(run: FlowRun): Pick<TrackedItem, "kind" | "number">[] {
  const { external } = observationsNeeded(run.definition.agent.runner.completion);
  return external.flatMap(({ config }) => trackedBy(run, config) ?? []);
}

/** The boundary hook: publishes the release, sets the issue's labels, then closes it. It follows the closing intent of a closure step and nothing else. */
export function boundaryEffects(context: RunContext, run: FlowRun, state: RunState): Effect[] {
  const plan = boundaryPlan(run);
  const { boundary } = context.ports.store.task;
  if (boundary === "done" || state.judgment?.flow?.intent !== "closing") return [];
  const effects = [...releaseEffects(context, run, state.judgment.flow), ...issueEffects(context, run, plan)];
  const where = { step: state.judgment?.flow?.step_id ?? "", iteration: state.iterations };
  return effects.map((effect) => failingAsHook(boundary === "begun" ? lookingFirst(effect) : effect, where));
}

function issueEffects(context: RunContext, run: FlowRun, plan: BoundaryPlan | undefined): Effect[] {
  if (!plan) return [];
  const changesLabels = plan.action !== "close" && plan.add.length + plan.remove.length > 0;
  return [
    ...(changesLabels ? [labelEffect(context, run, plan)] : []),
    ...(plan.action === "label-only" ? [] : [closeEffect(context, run, plan)]),
  ];
}

function labelEffect({ signal }: RunContext, { tracker }: FlowRun, plan: BoundaryPlan): Effect {
  const { issue, action, add, remove } = plan;
  return {
    key: `issue/${issue}/labels`,
    what: message("issue_label_effect", { issue, add, remove }),
    isDone: async () => {
      if (action === "label-only") return false; // may be a pull request, which cannot be read as an issue
      const { labels } = await tracker.get("issue", issue, signal);
      return add.every((label) => labels.includes(label)) && !remove.some((label) => labels.includes(label));
    },
    apply: () => tracker.label(issue, { add, remove }, signal),
  };
}

/** Where completion waits for the issue, closing it is not enough: it must be seen to be closed. */
function closeEffect({ signal }: RunContext, run: FlowRun, { issue }: BoundaryPlan): Effect {
  const { tracker } = run;
  const isAwaited = awaitedItems(run).some(({ kind, number }) => kind === "issue" && number === issue);
  const what = message("issue_close_effect", { issue });
  const stateNow = async () => (await tracker.get("issue", issue, signal)).state;
  return {
    key: `issue/${issue}/close`,
    what,
    isDone: async () => (await stateNow()) === "CLOSED",
    apply: async () => {
      await tracker.close("issue", issue, signal);
      const state = isAwaited ? await stateNow() : "CLOSED";
      if (state !== "CLOSED")
        throw new E8Error("tracker_failed", { what, problem: message("issue_still_open", { state }) });
    },
  };
}

/** A task of an earlier version recorded only that the hook had begun: any of its changes may be there already. */
function lookingFirst({ apply, ...effect }: Effect): Effect {
  return {
    ...effect,
    apply: async () => {
      if (!(await effect.isDone())) await apply();
    },
  };
}

/** Turns the tracker's failures into FAILED_BOUNDARY_HOOK. Other errors, such as a full disk, say themselves what to do. */
function failingAsHook(effect: Effect, where: { step: string; iteration: number }): Effect {
  const asHookFailure = (error: unknown): never => {
    const isOther = error instanceof E8Error && error.code !== "tracker_failed";
    if (isOther || error instanceof Halt) throw error;
    throw flowFailed("FAILED_BOUNDARY_HOOK", { ...where, problem: problemIn(error), recoverable: true });
  };
  return {
    ...effect,
    isDone: () => effect.isDone().catch(asHookFailure),
    apply: () => effect.apply().catch(asHookFailure),
  };
}

function problemIn(error: unknown): Statement {
  const problem = problemOf(error);
  return error instanceof E8Error
    ? listed([(error.details as ErrorParams["tracker_failed"]).what, problem], ": ")
    : problem;
}

const NO_CHANGE = { add: [], remove: [] } as const;

/** Looks for the issues and pull requests that the run's end needs, before anything is spent, and keeps what they ask for. */
export async function lookAhead(context: RunContext, run: FlowRun, state: RunState): Promise<void> {
  const { ports, signal } = context;
  const effects = boundaryEffects(context, run, state);
  const isOver = effects.length > 0 && effects.every(({ key }) => state.effects[key] === "done");
  if (isOver || ports.store.task.boundary === "done") return;
  requireTag(run);
  const found: TrackedItem[] = [];
  for (const { kind, number } of itemsNeeded(run)) found.push(await run.tracker.get(kind, number, signal));
  const plan = boundaryPlan(run);
  if (plan?.action === "label-only") {
    await run.tracker.label(plan.issue, NO_CHANGE, signal);
    // The labels may be those of a pull request, which cannot be read as an issue.
    found.push(
      ...(await run.tracker.get("issue", plan.issue, signal).then(
        (item) => [item],
        () => [],
      )),
    );
    haltIfAborted(signal);
  }
  if (ports.store.task.issues || found.length === 0) return;
  await ports.store.save({
    issues: found.map(({ kind, number, title, body }) => ({ kind, number, title, body })),
  });
}

/** An issue that the hook closes is not read by the completion, but by the hook. */
function itemsNeeded(run: FlowRun): Pick<TrackedItem, "kind" | "number">[] {
  const awaited = awaitedItems(run);
  const closed = issueToClose(run);
  if (closed === undefined) return awaited;
  const others = awaited.filter(({ kind, number }) => kind !== "issue" || number !== closed);
  return [{ kind: "issue", number: closed }, ...others];
}
