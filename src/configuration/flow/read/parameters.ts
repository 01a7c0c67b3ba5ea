import type { Parameter } from "../../../model/flow/agent-file.ts";
import type { ParameterJson } from "../../../model/flow/agent-json.ts";
import type { Statement } from "../../../model/statement.ts";
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
    for (const { rule, problem, fix } of senselessRules(json)) {
      report.add("AGENT_PARAMETER_VALIDATION", place("validation", rule), { problem, fix });
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

interface Senseless {
  rule: string;
  problem: Statement;
  fix: Statement;
}

function senselessRules({ type, validation = {} }: ParameterJson): Senseless[] {
  const { min, max, pattern, enum: values } = validation;
  const found: Senseless[] = [];
  if (min !== undefined && max !== undefined && min > max) {
    found.push({
      rule: "min",
      problem: { en: `min ${min} is more than max ${max}.`, ja: `min ${min} が max ${max} より大きくなっています。` },
      fix: { en: "Exchange them.", ja: "入れ替えてください。" },
    });
  }
  for (const rule of ["min", "max"] as const) {
    if (validation[rule] === undefined || type === "number") continue;
    found.push(misplaced(rule, "number", type));
  }
  if (pattern !== undefined && type !== "string") {
    found.push(misplaced("pattern", "string", type));
  } else if (pattern !== undefined && !isPattern(pattern)) {
    found.push({
      rule: "pattern",
      problem: { en: `"${pattern}" is not a regular expression.`, ja: `"${pattern}" は正規表現ではありません。` },
      fix: { en: "Correct it.", ja: "直してください。" },
    });
  }
  if (values && !values.every((value) => fitsType(type, value))) {
    found.push({
      rule: "enum",
      problem: {
        en: `enum has values that are not of the type ${type}.`,
        ja: `enum に ${type} 型ではない値があります。`,
      },
      fix: { en: "Correct them.", ja: "直してください。" },
    });
  }
  if (values?.length === 0) {
    found.push({
      rule: "enum",
      problem: { en: "enum is empty.", ja: "enum が空です。" },
      fix: { en: "List the possible values.", ja: "選べる値を並べてください。" },
    });
  }
  return found;
}

function misplaced(rule: string, meant: Parameter["type"], type: Parameter["type"]): Senseless {
  return {
    rule,
    problem: {
      en: `${rule} is for the type ${meant}, and this is of the type ${type}.`,
      ja: `${rule} は ${meant} 型のためのもので、これは ${type} 型です。`,
    },
    fix: { en: `Remove ${rule}.`, ja: `${rule} を削除してください。` },
  };
}

function fitsType(type: Parameter["type"], value: unknown): boolean {
  return type === "array" ? typeof value === "string" || typeof value === "number" : typeof value === type;
}
