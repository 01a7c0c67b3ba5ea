import type { Parameter } from "../../../model/flow/agent-file.ts";
import type { ParameterJson } from "../../../model/flow/agent-json.ts";
import type { ParameterFault } from "../../../model/flow/problem.ts";
import { message, type Statement } from "../../../model/message.ts";
import { notOfKind } from "../../schema-guide.ts";
import type { Report } from "../report.ts";

/** The parameters that agent.json declares, each with its flag, default and rules. */
export function readParameterDeclarations(
  declared: Readonly<Record<string, ParameterJson>>,
  reservedFlags: readonly string[],
  report: Report,
): Record<string, Parameter> {
  const owners = new Map<string, string>();
  const parameters: Record<string, Parameter> = {};
  for (const [key, json] of Object.entries(declared)) {
    const place = (...path: string[]) => ({ file: "agent.json", path: ["parameters", key, ...path] });
    const other = owners.get(json.cli);
    if (other !== undefined) report.add("AGENT_PARAMETER_CLASH", place("cli"), { cli: json.cli, other });
    owners.set(json.cli, other ?? key);
    if (reservedFlags.includes(json.cli)) report.add("AGENT_FLAG_RESERVED", place("cli"), { cli: json.cli, key });
    for (const [rule, fault] of senselessRules(json)) {
      report.add("AGENT_PARAMETER_VALIDATION", place("validation", rule), fault);
    }
    const parameter: Parameter = { ...json, required: json.required ?? false };
    checkDefault(parameter, place("default"), report);
    parameters[key] = parameter;
  }
  return parameters;
}

function checkDefault(parameter: Parameter, place: { file: string; path: string[] }, report: Report): void {
  if (parameter.default === undefined) return;
  const problem = misfit(parameter, parameter.default);
  if (problem) report.add("AGENT_PARAMETER_DEFAULT", place, { problem });
  else if (parameter.required) report.add("AGENT_PARAMETER_REQUIRED_DEFAULT", place, {});
}

function senselessRules({ type, validation = {} }: ParameterJson): [rule: string, fault: ParameterFault][] {
  const { min, max, pattern, enum: values } = validation;
  const found: [string, ParameterFault][] = [];
  if (min !== undefined && max !== undefined && min > max) found.push(["min", { fault: "min_above_max", min, max }]);
  for (const rule of ["min", "max"] as const)
    if (validation[rule] !== undefined && type !== "number")
      found.push([rule, { fault: "other_type", rule, meant: "number", type }]);
  if (pattern !== undefined && type !== "string")
    found.push(["pattern", { fault: "other_type", rule: "pattern", meant: "string", type }]);
  else if (pattern !== undefined && !isPattern(pattern)) found.push(["pattern", { fault: "not_pattern", pattern }]);
  if (values && !values.every((value) => fitsType(type, value)))
    found.push(["enum", { fault: "enum_of_other_type", type }]);
  if (values?.length === 0) found.push(["enum", { fault: "enum_empty" }]);
  return found;
}

function fitsType(type: Parameter["type"], value: unknown): boolean {
  return type === "array" ? typeof value === "string" || typeof value === "number" : typeof value === type;
}

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
    return message("value_not_matching", { value: shown(value), pattern });
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
