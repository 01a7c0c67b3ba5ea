import { observationsNeeded } from "../../judgment/flow/completion.ts";
import { type Criterion, criterionText } from "../../model/criterion.ts";
import type { CompletionStep } from "../../model/definition/steps-registry.ts";
import type { RunEvent } from "../../model/events.ts";
import { criteriaIn, type FlowRun } from "./flow-run.ts";

/** What must hold when one of these closure steps gives the closing signal. */
export function conditionsOf(
  { definition }: FlowRun,
  closures: readonly string[],
): CompletionStep["completionConditions"] {
  return closures.flatMap((id) => definition.registry.completionSteps[id]?.completionConditions ?? []);
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
