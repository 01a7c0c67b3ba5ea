import type { Parameter } from "../../model/definition/agent-file.ts";

/** Why a value does not fit a parameter; undefined when it does. */
export function misfit(parameter: Parameter, value: unknown): string | undefined {
  if (!isOfType(parameter.type, value)) return `${shown(value)} is not ${NOUNS[parameter.type]}`;
  return brokenRule(parameter, value);
}

const NOUNS: Record<Parameter["type"], string> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
};

function isOfType(type: Parameter["type"], value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  return type === "number" ? Number.isFinite(value) : typeof value === type;
}

function brokenRule({ validation = {} }: Parameter, value: unknown): string | undefined {
  const { min, max, pattern, enum: values } = validation;
  if (typeof value === "number" && min !== undefined && value < min) return `${value} is less than ${min}`;
  if (typeof value === "number" && max !== undefined && value > max) return `${value} is more than ${max}`;
  if (typeof value === "string" && pattern !== undefined && !matches(pattern, value)) {
    return `${shown(value)} does not match ${pattern}`;
  }
  const strange = values && (Array.isArray(value) ? value : [value]).find((item) => !values.includes(item));
  return strange === undefined ? undefined : `${shown(strange)} is not one of ${values?.map(shown).join(", ")}`;
}

/** A pattern that is no regular expression was reported where it stands. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern).test(value);
  } catch {
    return true;
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
