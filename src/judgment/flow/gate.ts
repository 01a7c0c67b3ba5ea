import type { Intent, StructuredGate } from "../../model/definition/steps-registry.ts";
import { valueAt } from "./paths.ts";

export interface GateReading {
  intent: Intent;
  /** The step a jump names. */
  target?: string;
  /** What was put right on the way. */
  deviations: string[];
}

/**
 * What a step's output asks for. Values are exact: no other case, no aliases, and nothing but the intent field is looked
 * at. A problem is a FAILED_STEP_ROUTING.
 */
export function readGate(gate: StructuredGate, output: unknown): GateReading | { problem: string } {
  const value = valueAt(output, gate.intentField);
  const intent = gate.allowedIntents.find((allowed) => allowed === value);
  if (!intent) return fallback(gate, value);
  return { intent, ...jumpTarget(gate, intent, output), deviations: [] };
}

/** No answer is never a completion signal: a fallback of closing is not taken. */
function fallback(gate: StructuredGate, value: unknown): GateReading | { problem: string } {
  const problem = `${whatIsWrong(gate, value)} Allowed: ${gate.allowedIntents.join(", ")}.`;
  const intent = gate.failFast ? undefined : gate.fallbackIntent;
  if (!intent) return { problem };
  if (intent === "closing" || !gate.allowedIntents.includes(intent)) {
    return { problem: `${problem} The fallback ${intent} cannot be taken.` };
  }
  return { intent, deviations: [`${problem} Went on with the fallback ${intent}.`] };
}

function whatIsWrong({ intentField }: StructuredGate, value: unknown): string {
  if (value === undefined || value === null || value === "") return `The output has no intent at ${intentField}.`;
  return `The output's ${intentField} is ${JSON.stringify(value).slice(0, 100)}.`;
}

function jumpTarget(gate: StructuredGate, intent: Intent, output: unknown): { target?: string } {
  const target = intent === "jump" && gate.targetField ? valueAt(output, gate.targetField) : undefined;
  return typeof target === "string" && target !== "" ? { target } : {};
}
