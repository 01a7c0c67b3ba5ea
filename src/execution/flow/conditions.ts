import { observationsNeeded } from "../../judgment/flow/completion.ts";
import { type Criterion, criterionText } from "../../model/criterion.ts";
import type { RunEvent } from "../../model/events.ts";
import type { CompletionStep } from "../../model/flow/steps-registry.ts";
import { criteriaIn, type FlowRun } from "./flow-run.ts";

/** Those of these closure steps that have conditions, with what was declared for them; of several that share a declaration, the first. */
export function conditionedSteps({ definition }: FlowRun, closures: readonly string[]): [string, CompletionStep][] {
  const steps = Object.entries(definition.registry.completionSteps).filter(([id]) => closures.includes(id));
  return steps.filter(([, { stepId }], index) => steps.findIndex(([, other]) => other.stepId === stepId) === index);
}

/** What must hold when one of these closure steps gives the closing signal. */
export function conditionsOf(run: FlowRun, closures: readonly string[]): CompletionStep["completionConditions"] {
  return conditionedSteps(run, closures).flatMap(([, { completionConditions }]) => completionConditions);
}

/** All that an agent may have to meet, by the names that its evaluations have. */
export function allConditions(run: FlowRun): string[] {
  const { registry } = run.definition;
  const validators = conditionsOf(run, Object.keys(registry.completionSteps)).map(({ validator }) => validator);
  return [...new Set([...validators, ...judgedCriteria(run).map(criterionText)])];
}

/** Those of a `criteria` completion. */
export function judgedCriteria({ definition }: FlowRun): Criterion[] {
  const { criteria } = observationsNeeded(definition.agent.runner.completion);
  return criteria.flatMap(({ config }) => criteriaIn(config.criteria ?? []));
}

export function* announced(conditions: readonly string[]): Generator<RunEvent> {
  if (conditions.length > 0) yield { type: "conditions", conditions: [...conditions] };
}
