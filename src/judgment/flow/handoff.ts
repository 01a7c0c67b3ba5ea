import type { Handoff } from "../../model/flow/position.ts";
import type { Step, StructuredGate } from "../../model/flow/steps-registry.ts";
import { handoffKey, handoffName, handoffValuesOf } from "../../model/flow/variables.ts";
import { textOf, valueAt } from "../../model/json.ts";
import { type Message, message } from "../../model/message.ts";

/** The declared fields that a step's output has, each under its path's last segment. */
export function extractHandoff(gate: StructuredGate, output: unknown): Record<string, unknown> {
  const found = gate.handoffFields.map((path) => [handoffKey(path), valueAt(output, path)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Every value handed on so far, under its namespaced name: `initial.issue` and `status` make `initial_issue_status`. */
export function handoffVariables(handoff: Handoff): Record<string, string> {
  const named = Object.entries(handoff).flatMap(([stepId, values]) =>
    Object.entries(values).map(([key, value]) => [handoffName(stepId, key), value] as const),
  );
  return Object.fromEntries(named.filter(([, value]) => isGiven(value)).map(([name, value]) => [name, textOf(value)]));
}

/** Every value that the steps can hand on, under its namespaced name; undefined where it was not handed on. */
export function handoffValues(steps: Readonly<Record<string, Step>>, handoff: Handoff): Record<string, unknown> {
  const value = (step: string, key: string) => (Object.hasOwn(handoff, step) ? valueAt(handoff[step], key) : undefined);
  return Object.fromEntries(
    handoffValuesOf(steps).map(({ step, key, variable }) => [variable, value(step, key) ?? undefined]),
  );
}

/**
 * The values of a step's inputs, each under the variable's own name and under its namespaced one. An optional input without a
 * default is the empty text, so that no placeholder stays unfilled. `null` counts as absent. `missing` lists the required inputs
 * that are absent.
 */
export function inputValues(step: Step, handoff: Handoff): { values: Record<string, string>; missing: Message[] } {
  const values: Record<string, string> = {};
  const missing: Message[] = [];
  for (const [variable, input] of Object.entries(step.inputs)) {
    const { stepId, key } = source(input.from);
    const handedOn = Object.hasOwn(handoff, stepId) ? valueAt(handoff[stepId], key) : undefined;
    const value = handedOn ?? input.default;
    const text = textOf(value);
    if (input.required && !isGiven(value))
      missing.push(message("handoff_missing", { step: step.stepId, variable, from: stepId, key }));
    else Object.assign(values, { [variable]: text, [handoffName(stepId, key)]: text });
  }
  return { values, missing };
}

/** Step ids hold dots; the key follows the last one. */
function source(from: string): { stepId: string; key: string } {
  const dot = from.lastIndexOf(".");
  return { stepId: from.slice(0, Math.max(dot, 0)), key: from.slice(dot + 1) };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
