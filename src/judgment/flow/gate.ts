import type { Intent, StructuredGate } from "../../model/definition/steps-registry.ts";
import { valueAt } from "./paths.ts";
import { type RoutingCause, type RoutingProblem, routingProblem } from "./routing-problem.ts";

export interface GateReading {
  intent: Intent;
  /** The step a jump names. */
  target?: string;
  /** What was put right on the way. */
  deviations: string[];
}

/** What a step's output asks for. Values are exact: no other case, no aliases, and nothing but the intent field is looked at. */
export function readGate(gate: StructuredGate, output: unknown): GateReading | { problem: RoutingProblem } {
  const value = valueAt(output, gate.intentField);
  const intent = gate.allowedIntents.find((allowed) => allowed === value);
  if (!intent) return fallback(gate, value);
  return { intent, ...jumpTarget(gate, intent, output), deviations: [] };
}

function fallback(gate: StructuredGate, value: unknown): GateReading | { problem: RoutingProblem } {
  const { cause, message } = whatIsWrong(gate, value);
  const intent = gate.failFast ? undefined : gate.fallbackIntent;
  if (!intent) return routingProblem(cause, message);
  if (intent === "closing") {
    return routingProblem(cause, `${message} The fallback is closing, and no answer is not a completion signal.`);
  }
  if (!gate.allowedIntents.includes(intent)) {
    return routingProblem("intent_unknown", `${message} The fallback ${intent} is not allowed here either.`);
  }
  return { intent, deviations: [`${message} Went on with the fallback ${intent}.`] };
}

function whatIsWrong(gate: StructuredGate, value: unknown): { cause: RoutingCause; message: string } {
  const allowed = `Allowed: ${gate.allowedIntents.join(", ")}.`;
  if (value === undefined || value === null || value === "") {
    return { cause: "intent_missing", message: `The output has no intent at ${gate.intentField}. ${allowed}` };
  }
  const shown = JSON.stringify(value).slice(0, 100);
  return { cause: "intent_unknown", message: `The output's ${gate.intentField} is ${shown}. ${allowed}` };
}

function jumpTarget(gate: StructuredGate, intent: Intent, output: unknown): { target?: string } {
  const target = intent === "jump" && gate.targetField ? valueAt(output, gate.targetField) : undefined;
  return typeof target === "string" && target !== "" ? { target } : {};
}
