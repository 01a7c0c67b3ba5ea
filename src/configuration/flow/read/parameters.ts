import type { Parameter } from "../../../model/flow/agent-file.ts";
import type { ParameterJson } from "../../../model/flow/agent-json.ts";
import type { ParameterFault } from "../../../model/flow/problem.ts";
import { isPattern, misfit } from "../parameter-rules.ts";
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
