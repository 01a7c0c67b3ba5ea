import type { Handoff } from "../../model/flow/position.ts";
import {
  type Intent,
  intentsOf,
  isDeadEnd,
  type Step,
  type StepsRegistry,
  type Transition,
} from "../../model/flow/steps-registry.ts";
import { valueAt } from "../../model/json.ts";
import { type Message, message } from "../../model/message.ts";

/** Where a step's answer leads. `next: null` comes from `closing` alone. A problem is a FAILED_STEP_ROUTING. */
export type Route = { next: string | null } | { problem: Message };

export interface RouteRequest {
  intent: Intent;
  /** The step a jump names; wins over the transition's. */
  target?: string;
}

export interface RouteInputs {
  handoff: Handoff;
  registry: StepsRegistry;
}

/** Follows the step's transition for the intent. The handoff already holds what this step handed on. */
export function route(step: Step, request: RouteRequest, { handoff, registry }: RouteInputs): Route {
  const { intent } = request;
  const { stepId, stepKind: kind } = step;
  const intents: readonly Intent[] = intentsOf[kind];
  if (!intents.includes(intent)) return { problem: message("intent_of_other_kind", { step: stepId, kind, intent }) };
  if (intent === "jump" && request.target)
    return isStep(registry, request.target)
      ? { next: request.target }
      : { problem: message("jump_target_missing", { step: stepId, target: request.target }) };
  const transition = step.transitions[intent];
  if (!transition) return { problem: message("transition_missing", { step: stepId, intent }) };
  const found = "targets" in transition ? chosen(step, transition, handoff) : { next: transition.target };
  return "problem" in found ? found : arrive(registry, { step: stepId, intent }, found.next);
}

/** Closing ends the flow, and nothing else does. */
function arrive(registry: StepsRegistry, from: { step: string; intent: Intent }, target: string | null): Route {
  const isClosing = from.intent === "closing";
  if (target === null) return isClosing ? { next: null } : { problem: message("transition_may_not_end", from) };
  if (isClosing) return { problem: message("transition_must_end", { ...from, target }) };
  if (isStep(registry, target)) return { next: target };
  return { problem: message("transition_target_missing", { ...from, target }) };
}

function isStep({ steps }: StepsRegistry, target: string): boolean {
  return Object.hasOwn(steps, target) && !isDeadEnd(steps, target);
}

type Conditional = Extract<Transition, { condition: string }>;

/** Texts, numbers and booleans choose by their text; any other value chooses `default`. */
function chosen(step: Step, { condition, targets }: Conditional, handoff: Handoff): Route {
  const value = conditionValue(step, condition, handoff);
  const key = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "default";
  const name = [key, "default"].find((candidate) => Object.hasOwn(targets, candidate));
  if (name !== undefined) return { next: targets[name] ?? null };
  const shown = value === undefined ? null : JSON.stringify(value).slice(0, 100);
  return { problem: message("transition_undecided", { step: step.stepId, condition, value: shown }) };
}

/** The step's own value of that key, or a step's as `stepId.key`. */
function conditionValue({ stepId }: Step, condition: string, handoff: Handoff): unknown {
  const dot = condition.lastIndexOf(".");
  const from = dot < 0 ? stepId : condition.slice(0, dot);
  return Object.hasOwn(handoff, from) ? valueAt(handoff[from], condition.slice(dot + 1)) : undefined;
}
