import { type CompletionConfig, PRESENT } from "../../model/flow/agent-file.ts";
import { isRecord, jsonIn, valueAt } from "../../model/json.ts";

/** What a step's worker returned. */
export interface StepAnswer {
  output: unknown;
  text: string;
}

/**
 * Whether the signal is there: an output whose `signal` or `type` is the signal's type, an output with a member of that
 * name, or a fenced block of that name in the text. Nothing else counts, not even a `status`.
 */
export function hasSignal(
  { signalType, requiredFields = {} }: CompletionConfig,
  answers: readonly StepAnswer[],
): boolean {
  if (!signalType) return false;
  const candidates = answers.flatMap(({ output, text }) => [
    ...inOutput(signalType, output),
    ...fenced(signalType, text),
  ]);
  return candidates.some((signal) =>
    Object.entries(requiredFields).every(([path, wanted]) => fits(fieldOf(signal, path), wanted)),
  );
}

function inOutput(signalType: string, output: unknown): unknown[] {
  if (!isRecord(output)) return [];
  const named = output.signal === signalType || output.type === signalType ? [output] : [];
  const member = Object.hasOwn(output, signalType) ? output[signalType] : undefined;
  return isRecord(member) ? [...named, member] : named;
}

/** "```name\n{…}\n```" */
function fenced(signalType: string, text: string): unknown[] {
  const blocks = text.matchAll(/^[ \t]*```[ \t]*(\S+)[ \t]*\r?\n([\s\S]*?)^[ \t]*```/gm);
  return [...blocks]
    .filter(([, name]) => name === signalType)
    .map(([, , body]) => jsonIn(body ?? ""))
    .filter(isRecord);
}

/** The member of exactly that name, dots included, or else the value at the dot path. */
function fieldOf(signal: unknown, path: string): unknown {
  return isRecord(signal) && Object.hasOwn(signal, path) ? signal[path] : valueAt(signal, path);
}

function fits(value: unknown, wanted: unknown): boolean {
  if (wanted === PRESENT) return value !== undefined && value !== null;
  return equal(value, wanted);
}

/** Deep equality of JSON values; the order of members does not matter. */
function equal(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equal(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return left === right;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name]))
  );
}
