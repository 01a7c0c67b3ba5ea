import type { TransitionJson } from "../../../model/flow/registry-json.ts";
import { type Intent, isDeadEnd, isSection, type Step } from "../../../model/flow/steps-registry.ts";
import { handoffValuesOf } from "../../../model/flow/variables.ts";
import { nearest } from "../../nearest.ts";
import { COMPLETION_NAMES, completionType } from "../read/completion.ts";
import type { Place } from "../report.ts";
import { type Draft, placeIn, stepPlace } from "./draft.ts";
import { reachable, runsBefore } from "./paths.ts";

/** Entry, transitions and reachability. */
export function checkFlow(draft: Draft): void {
  checkEntries(draft);
  for (const step of Object.values(draft.steps)) {
    for (const intent of Object.keys(draft.json.steps[step.stepId]?.transitions ?? {}) as Intent[]) {
      checkTransition(draft, step, intent);
    }
    checkEveryIntent(draft, step);
  }
  checkReachability(draft);
}

function checkEntries(draft: Draft): void {
  const { entryStep, entryStepMapping = {} } = draft.json;
  if (entryStep !== undefined) checkEntry(draft, entryStep, placeIn(draft, "entryStep"));
  for (const [type, step] of Object.entries(entryStepMapping)) {
    checkEntry(draft, step, placeIn(draft, "entryStepMapping", type));
    if (completionType(type)) continue;
    const details = { type, nearest: nearest(type, COMPLETION_NAMES) };
    draft.report.add("ENTRY_TYPE_UNKNOWN", placeIn(draft, "entryStepMapping", type), details);
  }
  const hasUnusable =
    entryStep !== undefined || Object.values(entryStepMapping).some((step) => !Object.hasOwn(draft.steps, step));
  if (draft.entry === undefined && !hasUnusable) {
    draft.report.add("ENTRY_MISSING", placeIn(draft), { type: draft.completion });
  }
}

/** Checks that the flow can begin at a step. */
export function checkEntry({ report, steps }: Draft, step: string, place: Place): void {
  if (!Object.hasOwn(steps, step)) {
    report.add("ENTRY_UNKNOWN", place, { step, nearest: nearest(step, Object.keys(steps)) });
  } else if (isDeadEnd(steps, step)) report.add("SECTION_IN_FLOW", place, { target: step });
}

function checkTransition(draft: Draft, { stepId, structuredGate, stepKind }: Step, intent: Intent): void {
  const json = draft.json.steps[stepId]?.transitions?.[intent];
  if (!json) return;
  const { report } = draft;
  const place = (...path: string[]) => stepPlace(draft, stepId, "transitions", intent, ...path);
  if (structuredGate && !structuredGate.allowedIntents.includes(intent)) {
    report.add("TRANSITION_UNUSED", place(), { intent });
  }
  const { target } = json;
  if (!hasOneForm(json)) report.add("TRANSITION_SHAPE", place(), {});
  else if (json.condition !== undefined) checkConditional(draft, stepId, intent, json);
  else if (intent === "closing" && target !== null && stepKind === "closure")
    report.add("TRANSITION_CLOSING_TARGET", place("target"), { target: target ?? "" });
  else checkTarget(draft, place("target"), intent, target ?? null);
}

function checkTarget(draft: Draft, place: Place, intent: Intent, target: string | null): void {
  if (target === null) {
    if (intent !== "closing") draft.report.add("TRANSITION_NULL", place, { intent });
  } else if (!Object.hasOwn(draft.steps, target)) {
    const details = { target, nearest: nearest(target, Object.keys(draft.steps)) };
    draft.report.add("TRANSITION_TARGET_UNKNOWN", place, details);
  } else if (isDeadEnd(draft.steps, target)) draft.report.add("SECTION_IN_FLOW", place, { target });
}

function hasOneForm({ target, condition, targets }: TransitionJson): boolean {
  const isConditional = condition !== undefined && targets !== undefined;
  return target === undefined ? isConditional : condition === undefined && targets === undefined;
}

function checkConditional(
  draft: Draft,
  stepId: string,
  intent: Intent,
  { condition = "", targets = {} }: TransitionJson,
): void {
  const place = (...path: string[]) => stepPlace(draft, stepId, "transitions", intent, ...path);
  checkCondition(draft, stepId, condition, place("condition"));
  if (!Object.hasOwn(targets, "default")) draft.report.add("TRANSITION_NO_DEFAULT", place("targets"), {});
  for (const [value, target] of Object.entries(targets)) {
    if (intent === "closing" && target !== null)
      draft.report.add("TRANSITION_CLOSING_TARGET", place("targets", value), { target });
    else checkTarget(draft, place("targets", value), intent, target);
  }
}

/** A condition is a key of the step's own handoff, or `stepId.key` of an earlier step's. */
function checkCondition({ steps, graph, entry, report }: Draft, stepId: string, condition: string, place: Place): void {
  const values = handoffValuesOf(steps).map(({ step, key }) => ({ step, key, name: `${step}.${key}` }));
  const own = values.filter(({ step }) => step === stepId);
  if (own.some(({ key, name }) => key === condition || name === condition)) return;
  const found = values.find(({ name }) => name === condition);
  const names = values.filter(({ key }) => key === condition).map(({ name }) => name);
  if (found) {
    if (entry !== undefined && runsBefore(graph, entry, found.step, stepId) === "never")
      report.add("TRANSITION_CONDITION_NEVER", place, { condition, step: found.step, stepId });
  } else if (names.length > 0) report.add("TRANSITION_CONDITION_ELSEWHERE", place, { condition, names });
  else {
    const known = [...own.map(({ key }) => key), ...values.map(({ name }) => name)];
    report.add("TRANSITION_CONDITION_UNKNOWN", place, { condition, nearest: nearest(condition, known) });
  }
}

/** Every allowed intent needs a transition, except a jump whose target the model names. */
function checkEveryIntent(draft: Draft, { stepId, structuredGate }: Step): void {
  const json = draft.json.steps[stepId];
  if (!structuredGate || json?.transitions === undefined) return;
  for (const intent of structuredGate.allowedIntents) {
    if (json.transitions[intent] || (intent === "jump" && structuredGate.targetField !== undefined)) continue;
    draft.report.add("TRANSITION_MISSING", stepPlace(draft, stepId, "transitions"), { intent });
  }
}

function checkReachability(draft: Draft): void {
  const { entryStep, entryStepMapping = {} } = draft.json;
  const entries = [entryStep, draft.entry, ...Object.values(entryStepMapping)].filter((step) => step !== undefined);
  const reached = reachable(draft.graph, entries);
  if (reached.size === 0) return;
  for (const stepId of Object.keys(draft.steps)) {
    if (!reached.has(stepId) && !isSection(stepId))
      draft.report.add("STEP_UNREACHABLE", stepPlace(draft, stepId), { stepId });
  }
}
