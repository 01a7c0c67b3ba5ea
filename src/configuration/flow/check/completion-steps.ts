import { laterNames } from "../../../model/flow/agent-file.ts";
import type { NeverCloses, ProblemParams } from "../../../model/flow/problem.ts";
import type { CompletionStepJson } from "../../../model/flow/registry-json.ts";
import type { CompletionStep, Step } from "../../../model/flow/steps-registry.ts";
import { nearest } from "../../nearest.ts";
import type { Place } from "../report.ts";
import { type Draft, placeIn } from "./draft.ts";
import { reachable } from "./paths.ts";

const DEFAULT_ATTEMPTS = 3;

/**
 * Attaches completion conditions to closure steps: by the step's own id, or else by the completion type. Conditions that
 * could never run are an error, because they would look like conditions that hold.
 */
export function attachCompletionSteps(draft: Draft): Record<string, CompletionStep> {
  const { json, report } = draft;
  const key = json.completionSteps ? "completionSteps" : "validationSteps";
  if (json.completionSteps && json.validationSteps) {
    const details = { first: "completionSteps", second: "validationSteps" };
    report.add("CONDITIONS_TWICE", placeIn(draft, "validationSteps"), details);
  }
  const attached: Record<string, CompletionStep> = {};
  const entries = Object.entries(json[key] ?? {});
  const closures = closureSteps(draft);
  const own = new Set(entries.map(([name]) => name));
  for (const [name, entry] of entries) {
    const place = (...path: PropertyKey[]) => placeIn(draft, key, name, ...path);
    if (entry.stepId !== name) report.add("STEP_ID_MISMATCH", place("stepId"), { key: name, stepId: entry.stepId });
    checkConditions(draft, entry, place);
    const steps = Object.hasOwn(draft.steps, name)
      ? closures.filter(({ stepId }) => stepId === name)
      : byType(draft, name, closures, own);
    if (steps.length === 0) report.add("CONDITIONS_UNREACHABLE", place(), unreachable(draft, name));
    for (const step of steps) {
      attached[step.stepId] = readCompletionStep(entry);
      checkRetry(draft, step, entry, place());
    }
  }
  return attached;
}

/** Closure steps that the flow can reach and that can say closing. */
export function closureSteps(draft: Draft): Step[] {
  const reached = draft.entry === undefined ? undefined : reachable(draft.graph, [draft.entry]);
  return Object.values(draft.steps).filter(
    ({ stepId, stepKind, structuredGate }) =>
      stepKind === "closure" && structuredGate?.allowedIntents.includes("closing") && (reached?.has(stepId) ?? true),
  );
}

function byType(draft: Draft, name: string, closures: readonly Step[], own: ReadonlySet<string>): Step[] {
  const { completion } = draft;
  if (completion === undefined) return [...closures];
  if (name !== `closure.${completion}` && name !== `closure.${laterNames[completion]}`) return [];
  return closures.filter(({ stepId }) => !own.has(stepId));
}

function unreachable({ steps, completion }: Draft, key: string): ProblemParams["CONDITIONS_UNREACHABLE"] {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return { key, reason: whyUnreachable(step), completion, ...(step && { kind: step.stepKind }) };
}

function whyUnreachable(step: Step | undefined): NeverCloses {
  if (!step) return "not_closure_name";
  if (step.stepKind !== "closure") return "other_kind";
  if (!step.structuredGate) return "no_gate";
  return step.structuredGate.allowedIntents.includes("closing") ? "never_reached" : "closing_not_allowed";
}

function readCompletionStep(entry: CompletionStepJson): CompletionStep {
  return {
    stepId: entry.stepId,
    name: entry.name,
    c2: entry.c2,
    c3: entry.c3,
    completionConditions: conditionsOf(entry).map(({ validator, params }) => ({
      validator,
      ...(params && { params }),
    })),
    onFailure: {
      action: entry.onFailure?.action ?? "retry",
      maxAttempts: entry.onFailure?.maxAttempts ?? DEFAULT_ATTEMPTS,
    },
  };
}

export function conditionsOf(entry: CompletionStepJson): NonNullable<CompletionStepJson["completionConditions"]> {
  return entry.completionConditions ?? entry.validationConditions ?? [];
}

function checkConditions(draft: Draft, entry: CompletionStepJson, place: (...path: PropertyKey[]) => Place): void {
  const { report, json } = draft;
  if (entry.completionConditions && entry.validationConditions)
    report.add("CONDITIONS_BOTH", place("validationConditions"), {});
  const key = entry.completionConditions ? "completionConditions" : "validationConditions";
  const known = Object.keys(json.validators ?? {});
  conditionsOf(entry).forEach(({ validator }, index) => {
    if (known.includes(validator)) return;
    report.add("VALIDATOR_UNKNOWN", place(key, index, "validator"), { validator, nearest: nearest(validator, known) });
  });
}

function checkRetry(draft: Draft, step: Step, entry: CompletionStepJson, place: Place): void {
  if ((entry.onFailure?.action ?? "retry") !== "retry" || step.transitions.repeat) return;
  draft.report.add("RETRY_NOWHERE", place, { stepId: step.stepId });
}
