import {
  type Intent,
  intentsOf,
  type Step,
  type StepsRegistry,
  type Transition,
} from "../../model/definition/steps-registry.ts";
import type { Handoff } from "../../model/flow.ts";
import { valueAt } from "./paths.ts";

/** Where a step's answer leads. `next: null` comes from `closing` alone. A problem is a FAILED_STEP_ROUTING. */
export type Route = { next: string | null } | { problem: string };

export interface Asked {
  intent: Intent;
  /** The step a jump names; wins over the transition's. */
  target?: string;
}

export interface Surroundings {
  handoff: Handoff;
  registry: StepsRegistry;
}

/** Follows the step's transition for the intent. The handoff is the one that already holds what this step handed on. */
export function route(step: Step, asked: Asked, { handoff, registry }: Surroundings): Route {
  const { intent } = asked;
  const intents: readonly Intent[] = intentsOf[step.stepKind];
  if (!intents.includes(intent)) {
    return { problem: `${step.stepId} is a ${step.stepKind} step; ${intent} is not for it.` };
  }
  if (intent === "jump" && asked.target) return existing(registry, asked.target, `${step.stepId} jumps to`);
  const transition = step.transitions[intent];
  if (!transition) {
    return { problem: `${step.stepId} has no transition for ${intent}.` };
  }
  const found = "targets" in transition ? chosen(step, transition, handoff) : { next: transition.target };
  return "problem" in found ? found : arrive(registry, step, intent, found.next);
}

function arrive(registry: StepsRegistry, step: Step, intent: Intent, target: string | null): Route {
  const what = `${step.stepId}'s transition for ${intent} leads to`;
  if (intent === "closing") {
    return target === null ? { next: null } : { problem: `${what} ${target}; closing must end.` };
  }
  if (target === null) return { problem: `${what} nothing; only closing may end the flow.` };
  return existing(registry, target, what);
}

function existing(registry: StepsRegistry, target: string, what: string): Route {
  if (Object.hasOwn(registry.steps, target)) return { next: target };
  return { problem: `${what} ${target}, and there is no such step.` };
}

type Conditional = Extract<Transition, { condition: string }>;

/** Text, numbers and booleans choose by how they are written; everything else is `default`. */
function chosen(step: Step, { condition, targets }: Conditional, handoff: Handoff): Route {
  const value = conditionValue(step, condition, handoff);
  const key = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "default";
  const name = [key, "default"].find((candidate) => Object.hasOwn(targets, candidate));
  if (name !== undefined) return { next: targets[name] ?? null };
  const shown = value === undefined ? "not handed on" : JSON.stringify(value).slice(0, 100);
  return {
    problem: `${step.stepId} chooses by ${condition}, which is ${shown}; its targets have neither that nor a default.`,
  };
}

/** The step's own value of that key, or another step's as `stepId.key`. */
function conditionValue(step: Step, condition: string, handoff: Handoff): unknown {
  const own = Object.hasOwn(handoff, step.stepId) ? valueAt(handoff[step.stepId], condition) : undefined;
  if (own !== undefined) return own;
  const dot = condition.lastIndexOf(".");
  const from = condition.slice(0, Math.max(dot, 0));
  return Object.hasOwn(handoff, from) ? valueAt(handoff[from], condition.slice(dot + 1)) : undefined;
}
