import type { Handoff } from "../../model/flow/position.ts";
import type { Step, StructuredGate } from "../../model/flow/steps-registry.ts";
import { handoffKey, handoffName } from "../../model/flow/variables.ts";
import type { Statement } from "../../model/statement.ts";
import { valueAt } from "./paths.ts";

/** What a step hands on: the declared fields that its output has, each under its path's last segment. */
export function extractHandoff(gate: StructuredGate, output: unknown): Record<string, unknown> {
  const found = gate.handoffFields.map((path) => [handoffKey(path), valueAt(output, path)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Every value handed on so far, under its namespaced name: `initial.issue` and `status` make `initial_issue_status`. */
export function handoffVariables(handoff: Handoff): Record<string, string> {
  const named = Object.entries(handoff).flatMap(([stepId, values]) =>
    Object.entries(values).map(([key, value]) => [handoffName(stepId, key), asText(value)] as const),
  );
  return Object.fromEntries(named.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/**
 * The values of a step's inputs, each under the variable's own name and under its namespaced one. What is not required
 * and has no default is the empty text, so that no placeholder stays unfilled. `null` is no value. `missing` says, naming
 * both steps, what is required and absent.
 */
export function inputValues(step: Step, handoff: Handoff): { values: Record<string, string>; missing: Statement[] } {
  const values: Record<string, string> = {};
  const missing: Statement[] = [];
  for (const [variable, input] of Object.entries(step.inputs)) {
    const { stepId, key } = source(input.from);
    const handedOn = Object.hasOwn(handoff, stepId) ? valueAt(handoff[stepId], key) : undefined;
    const text = asText(handedOn) ?? asText(input.default) ?? (input.required ? undefined : "");
    if (text === undefined) missing.push(lacks(step, variable, input.from));
    else Object.assign(values, { [variable]: text, [handoffName(stepId, key)]: text });
  }
  return { values, missing };
}

function lacks(step: Step, variable: string, from: string): Statement {
  const { stepId, key } = source(from);
  return {
    en: `Step ${step.stepId} needs ${variable}: step ${stepId} has not handed on ${key}.`,
    ja: `ステップ ${step.stepId} には ${variable} が必要ですが、ステップ ${stepId} が ${key} を引き継いでいません。`,
  };
}

/** Step ids hold dots; the key is what follows the last. */
function source(from: string): { stepId: string; key: string } {
  const dot = from.lastIndexOf(".");
  return { stepId: from.slice(0, Math.max(dot, 0)), key: from.slice(dot + 1) };
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
