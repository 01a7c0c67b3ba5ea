import type { Handoff } from "../../model/flow/position.ts";
import {
  type Intent,
  intentsOf,
  isDeadEnd,
  type Step,
  type StepsRegistry,
  type Transition,
} from "../../model/flow/steps-registry.ts";
import { type Statement, worded } from "../../model/statement.ts";
import { valueAt } from "./paths.ts";

/** Where a step's answer leads. `next: null` comes from `closing` alone. A problem is a FAILED_STEP_ROUTING. */
export type Route = { next: string | null } | { problem: Statement };

export interface Asked {
  intent: Intent;
  /** The step a jump names; wins over the transition's. */
  target?: string;
}

export interface RouteInputs {
  handoff: Handoff;
  registry: StepsRegistry;
}

/** Follows the step's transition for the intent. The handoff is the one that already holds what this step handed on. */
export function route(step: Step, asked: Asked, { handoff, registry }: RouteInputs): Route {
  const { intent } = asked;
  const intents: readonly Intent[] = intentsOf[step.stepKind];
  if (!intents.includes(intent)) {
    return {
      problem: {
        en: `${step.stepId} is a ${step.stepKind} step; ${intent} is not for it.`,
        ja: `${step.stepId} は ${step.stepKind} のステップなので、${intent} は使えません。`,
      },
    };
  }
  if (intent === "jump" && asked.target) return existing(registry, asked.target, jumps(step));
  const transition = step.transitions[intent];
  if (!transition) {
    return {
      problem: {
        en: `${step.stepId} has no transition for ${intent}.`,
        ja: `${step.stepId} に ${intent} の遷移がありません。`,
      },
    };
  }
  const found = "targets" in transition ? chosen(step, transition, handoff) : { next: transition.target };
  return "problem" in found ? found : arrive(registry, step, intent, found.next);
}

function arrive(registry: StepsRegistry, step: Step, intent: Intent, target: string | null): Route {
  const what: Statement = {
    en: `${step.stepId}'s transition for ${intent} leads to`,
    ja: `${step.stepId} の ${intent} の行き先は`,
  };
  if (intent === "closing") {
    return target === null ? { next: null } : { problem: mustEnd(what, target) };
  }
  if (target === null) return { problem: mayNotEnd(what) };
  return existing(registry, target, what);
}

function existing(registry: StepsRegistry, target: string, what: Statement): Route {
  if (Object.hasOwn(registry.steps, target) && !isDeadEnd(registry.steps, target)) return { next: target };
  return {
    problem: worded(
      (say) => `${say(what)} ${target}, and the flow has no such step.`,
      (say) => `${say(what)} ${target} ですが、フローにそのステップはありません。`,
    ),
  };
}

function jumps({ stepId }: Step): Statement {
  return { en: `${stepId} jumps to`, ja: `${stepId} の jump の行き先は` };
}

function mustEnd(what: Statement, target: string): Statement {
  return worded(
    (say) => `${say(what)} ${target}; closing must end.`,
    (say) => `${say(what)} ${target} ですが、closing は終わりでなければなりません。`,
  );
}

function mayNotEnd(what: Statement): Statement {
  return worded(
    (say) => `${say(what)} nothing; only closing may end the flow.`,
    (say) => `${say(what)} null ですが、フローを終えられるのは closing だけです。`,
  );
}

type Conditional = Extract<Transition, { condition: string }>;

/** Text, numbers and booleans choose by how they are written; everything else is `default`. */
function chosen(step: Step, { condition, targets }: Conditional, handoff: Handoff): Route {
  const value = conditionValue(step, condition, handoff);
  const key = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "default";
  const name = [key, "default"].find((candidate) => Object.hasOwn(targets, candidate));
  if (name !== undefined) return { next: targets[name] ?? null };
  const shown = value === undefined ? undefined : JSON.stringify(value).slice(0, 100);
  return {
    problem: {
      en: `${step.stepId} chooses by ${condition}, which is ${shown ?? "not handed on"}; its targets have neither that nor a default.`,
      ja: `${step.stepId} は ${condition} で行き先を選びますが、${shown === undefined ? "値が引き継がれておらず" : `値が ${shown} で`}、targets にその値も default もありません。`,
    },
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
