import type { Parameter } from "../../model/definition/agent-file.ts";
import type { ParameterJson } from "../../model/definition/agent-json.ts";
import { misfit } from "./parameter-rules.ts";
import type { Report } from "./report.ts";

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
    for (const { rule, problem, fix } of senselessRules(json)) {
      report.add("AGENT_PARAMETER_VALIDATION", place("validation", rule), { problem, fix });
    }
    const parameter = { ...json, required: json.required ?? false } as Parameter;
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

interface Senseless {
  rule: string;
  problem: string;
  fix: string;
}

function senselessRules({ type, validation = {} }: ParameterJson): Senseless[] {
  const { min, max, pattern, enum: values } = validation;
  const found: Senseless[] = [];
  if (min !== undefined && max !== undefined && min > max) {
    found.push({ rule: "min", problem: `min ${min} is more than max ${max}.`, fix: "Exchange them." });
  }
  for (const rule of ["min", "max"] as const) {
    if (validation[rule] === undefined || type === "number") continue;
    found.push({ rule, problem: `${rule} is for numbers, and this is of the type ${type}.`, fix: `Remove ${rule}.` });
  }
  if (pattern !== undefined && type !== "string") {
    found.push({
      rule: "pattern",
      problem: `pattern is for text, and this is of the type ${type}.`,
      fix: "Remove it.",
    });
  } else if (pattern !== undefined && !isPattern(pattern)) {
    found.push({ rule: "pattern", problem: `"${pattern}" is not a regular expression.`, fix: "Correct it." });
  }
  if (values && !values.every((value) => fitsType(type, value))) {
    found.push({ rule: "enum", problem: `enum has values that are not of the type ${type}.`, fix: "Correct them." });
  }
  if (values?.length === 0) found.push({ rule: "enum", problem: "enum is empty.", fix: "List the possible values." });
  return found;
}

function fitsType(type: Parameter["type"], value: unknown): boolean {
  return type === "array" ? typeof value === "string" || typeof value === "number" : typeof value === type;
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
