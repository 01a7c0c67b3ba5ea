import type { Intent, StructuredGate } from "../../model/flow/steps-registry.ts";
import { isRecord, valueAt } from "../../model/json.ts";
import { type Message, message } from "../../model/message.ts";

export interface GateReading {
  intent: Intent;
  /** The step a jump names. */
  target?: string;
  /** Corrections that were made on the way. */
  deviations: Message[];
}

/**
 * The intent that a step's output asks for. It must match exactly, without aliases, and only the intent field counts. A problem is
 * a FAILED_STEP_ROUTING.
 */
export function readGate(gate: StructuredGate, output: unknown): GateReading | { problem: Message } {
  const value = valueAt(output, gate.intentField);
  const intent = gate.allowedIntents.find((allowed) => allowed === value);
  if (!intent) return fallback(gate, value);
  return { intent, ...jumpTarget(gate, intent, output), deviations: [] };
}

/** A missing answer is never a completion signal: a fallback of closing is not taken. */
function fallback(gate: StructuredGate, found: unknown): GateReading | { problem: Message } {
  const { intentField: field, allowedIntents: allowed } = gate;
  const isMissing = found === undefined || found === null || found === "";
  const value = isMissing ? null : JSON.stringify(found).slice(0, SHOWN);
  const problem = message("intent_unusable", { field, value, allowed });
  const intent = gate.failFast ? undefined : gate.fallbackIntent;
  if (!intent) return { problem };
  if (intent === "closing" || !allowed.includes(intent))
    return { problem: message("intent_fallback_refused", { problem, intent }) };
  return { intent, deviations: [message("intent_fallback_taken", { problem, intent })] };
}

/** How much of a value from an output a message quotes. */
const SHOWN = 100;

function jumpTarget(gate: StructuredGate, intent: Intent, output: unknown): { target?: string } {
  const target = intent === "jump" && gate.targetField ? valueAt(output, gate.targetField) : undefined;
  return typeof target === "string" && target !== "" ? { target } : {};
}

/** The runtime owns the step's id: whatever the output says, this is the step that ran. */
export function withStepId(output: unknown, stepId: string): { output: unknown; deviation?: Message } {
  if (!isRecord(output)) return { output };
  const corrected = { ...output, stepId };
  if (output.stepId === undefined || output.stepId === stepId) return { output: corrected };
  const said = JSON.stringify(output.stepId).slice(0, SHOWN);
  return { output: corrected, deviation: message("step_id_corrected", { said, step: stepId }) };
}
