import type { Parameter } from "../../model/flow/agent-file.ts";
import type { Statement } from "../../model/statement.ts";
import { notKind } from "../value-words.ts";

/** Why a value does not fit a parameter; undefined when it does. */
export function misfit(parameter: Parameter, value: unknown): Statement | undefined {
  if (!isOfType(parameter.type, value)) return notKind(shown(value), parameter.type);
  return brokenRule(parameter, value);
}

function isOfType(type: Parameter["type"], value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  return type === "number" ? Number.isFinite(value) : typeof value === type;
}

function brokenRule({ validation = {} }: Parameter, value: unknown): Statement | undefined {
  const { min, max, pattern, enum: values } = validation;
  if (typeof value === "number" && min !== undefined && value < min)
    return { en: `${value} is less than ${min}`, ja: `${value} は ${min} より小さい値です` };
  if (typeof value === "number" && max !== undefined && value > max)
    return { en: `${value} is more than ${max}`, ja: `${value} は ${max} より大きい値です` };
  if (typeof value === "string" && pattern !== undefined && !matches(pattern, value)) {
    return { en: `${shown(value)} does not match ${pattern}`, ja: `${shown(value)} は ${pattern} に一致しません` };
  }
  const strange = values && (Array.isArray(value) ? value : [value]).find((item) => !values.includes(item));
  if (strange === undefined) return undefined;
  const known = values?.map(shown).join(", ") ?? "";
  return {
    en: `${shown(strange)} is not one of ${known}`,
    ja: `${shown(strange)} は選べません。選べるのは ${known} です`,
  };
}

/** A pattern that is no regular expression was reported where it stands. */
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
