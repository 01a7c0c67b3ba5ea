import type { Parameter } from "../../model/flow/agent-file.ts";
import { message, type Statement } from "../../model/message.ts";
import { notOfKind } from "../schema-guide.ts";

/** Why a value does not fit a parameter; undefined when it does. */
export function misfit(parameter: Parameter, value: unknown): Statement | undefined {
  if (!isOfType(parameter.type, value)) return notOfKind(shown(value), parameter.type);
  return brokenRule(parameter, value);
}

function isOfType(type: Parameter["type"], value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  return type === "number" ? Number.isFinite(value) : typeof value === type;
}

function brokenRule({ validation = {} }: Parameter, value: unknown): Statement | undefined {
  const { min, max, pattern, enum: values } = validation;
  if (typeof value === "number" && min !== undefined && value < min)
    return message("number_below", { value, minimum: min });
  if (typeof value === "number" && max !== undefined && value > max)
    return message("number_above", { value, maximum: max });
  if (typeof value === "string" && pattern !== undefined && !matches(pattern, value))
    return message("text_mismatched", { value: shown(value), pattern });
  const strange = values && (Array.isArray(value) ? value : [value]).find((item) => !values.includes(item));
  return strange === undefined
    ? undefined
    : message("value_unlisted", { value: shown(strange), known: values?.map(shown) ?? [] });
}

/** A pattern that is not a regular expression is reported where it stands. */
function matches(pattern: string, value: string): boolean {
  return !isPattern(pattern) || new RegExp(pattern).test(value);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

export function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
