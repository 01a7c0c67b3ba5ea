import { E8Error } from "../../model/errors.ts";
import type { Parameter } from "../../model/flow/agent-file.ts";
import type { FlowDefinition } from "../../model/flow/definition.ts";
import { listed, message, type Statement } from "../../model/message.ts";
import { nearest } from "../nearest.ts";
import { misfit } from "./parameter-rules.ts";

/**
 * The values of an agent's parameters: what was given, by parameter name or flag, converted where it is the text of a
 * command line; else the default. Throws `parameter_invalid` with everything that is wrong at once.
 */
export function readParameters(
  { agent }: Pick<FlowDefinition, "agent">,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { parameters } = agent;
  const byName = new Map(Object.entries(given).map(([key, value]) => [nameOf(parameters, key), { key, value }]));
  const values: Record<string, unknown> = {};
  const problems: ParameterProblem[] = strangers(parameters, given);
  for (const [name, parameter] of Object.entries(parameters)) {
    const said = byName.get(name)?.value;
    const value = said === undefined ? parameter.default : converted(parameter, said);
    if (value === undefined) {
      if (parameter.required)
        problems.push({
          flag: parameter.cli,
          problem: message("parameter_needed", { description: parameter.description }),
        });
      continue;
    }
    const problem = misfit(parameter, value);
    if (problem) problems.push({ flag: parameter.cli, problem });
    values[name] = value;
  }
  refuse(agent.name, problems);
  return values;
}

interface ParameterProblem {
  flag: string;
  problem: Statement;
}

function nameOf(parameters: Readonly<Record<string, Parameter>>, key: string): string {
  if (Object.hasOwn(parameters, key)) return key;
  return Object.entries(parameters).find(([, { cli }]) => cli === key || cli === `--${key}`)?.[0] ?? key;
}

function strangers(
  parameters: Readonly<Record<string, Parameter>>,
  given: Readonly<Record<string, unknown>>,
): ParameterProblem[] {
  const flags = Object.values(parameters).map(({ cli }) => cli);
  return Object.keys(given)
    .filter((key) => given[key] !== undefined && !Object.hasOwn(parameters, nameOf(parameters, key)))
    .map((key) => {
      const meant = nearest(key, [...Object.keys(parameters), ...flags]);
      return { flag: key, problem: message("parameter_unknown", { nearest: meant, known: flags }) };
    });
}

/** Command lines give text; a library gives values, which are taken as they are. */
function converted({ type }: Parameter, value: unknown): unknown {
  if (type === "array") return asList(value);
  if (typeof value !== "string") return value;
  if (type === "number") return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : value;
  if (type === "boolean") return BOOLEANS[value.trim().toLowerCase()] ?? value;
  return value;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  "1": true,
  false: false,
  no: false,
  "0": false,
};

/** `a,b` or a JSON list. */
function asList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return [];
  if (value.trim().startsWith("[")) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return value.split(",").map((item) => item.trim());
}

function refuse(agent: string, problems: readonly ParameterProblem[]): void {
  const [first, ...others] = problems;
  if (!first) return;
  const rest = others.map(({ flag, problem }) => listed([flag, problem], ": "));
  throw new E8Error("parameter_invalid", { flag: first.flag, problem: listed([first.problem, ...rest], "\n"), agent });
}
