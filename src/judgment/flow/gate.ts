import type { Intent, StructuredGate } from "../../model/flow/steps-registry.ts";
import { type Statement, type Words, worded } from "../../model/statement.ts";
import { valueAt } from "./paths.ts";

export interface GateReading {
  intent: Intent;
  /** The step a jump names. */
  target?: string;
  /** What was put right on the way. */
  deviations: Words[];
}

/**
 * What a step's output asks for. Values are exact: no other case, no aliases, and nothing but the intent field is looked
 * at. A problem is a FAILED_STEP_ROUTING.
 */
export function readGate(gate: StructuredGate, output: unknown): GateReading | { problem: Statement } {
  const value = valueAt(output, gate.intentField);
  const intent = gate.allowedIntents.find((allowed) => allowed === value);
  if (!intent) return fallback(gate, value);
  return { intent, ...jumpTarget(gate, intent, output), deviations: [] };
}

/** No answer is never a completion signal: a fallback of closing is not taken. */
function fallback(gate: StructuredGate, value: unknown): GateReading | { problem: Statement } {
  const allowed = gate.allowedIntents.join(", ");
  const problem = worded(
    (say) => `${say(whatIsWrong(gate, value))} Allowed: ${allowed}.`,
    (say) => `${say(whatIsWrong(gate, value))}許可されているのは ${allowed} です。`,
  );
  const intent = gate.failFast ? undefined : gate.fallbackIntent;
  if (!intent) return { problem };
  if (intent === "closing" || !gate.allowedIntents.includes(intent)) {
    return {
      problem: worded(
        (say) => `${say(problem)} The fallback ${intent} cannot be taken.`,
        (say) => `${say(problem)}fallbackIntent の ${intent} は使えません。`,
      ),
    };
  }
  const wentOn = worded(
    (say) => `${say(problem)} Went on with the fallback ${intent}.`,
    (say) => `${say(problem)}fallbackIntent の ${intent} で続けました。`,
  );
  return { intent, deviations: [wentOn] };
}

function whatIsWrong({ intentField }: StructuredGate, value: unknown): Statement {
  if (value === undefined || value === null || value === "")
    return { en: `The output has no intent at ${intentField}.`, ja: `出力の ${intentField} に intent がありません。` };
  const shown = JSON.stringify(value).slice(0, 100);
  return { en: `The output's ${intentField} is ${shown}.`, ja: `出力の ${intentField} が ${shown} です。` };
}

function jumpTarget(gate: StructuredGate, intent: Intent, output: unknown): { target?: string } {
  const target = intent === "jump" && gate.targetField ? valueAt(output, gate.targetField) : undefined;
  return typeof target === "string" && target !== "" ? { target } : {};
}
