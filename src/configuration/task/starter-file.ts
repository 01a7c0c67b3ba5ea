import { stringify } from "yaml";
import { fillTemplate, type Template } from "../../model/template.ts";

/** The contents of a new task file. */
export interface Starter {
  /** Its own name, for messages. */
  file: string;
  /** Where its JSON Schema is: a relative path or a URL, without spaces. */
  schema: string;
  task: string;
  criteria: readonly string[];
  checks: readonly string[];
  iterations: number;
  cost_usd?: number | undefined;
}

/** The text of a new task file, with comments on further keys. */
export function starterFile(template: Template, starter: Starter): string {
  const { file, schema, task, criteria, checks, iterations, cost_usd } = starter;
  const commands = checks.map((command) => ({ type: "command", command }));
  return fillTemplate(template, {
    file,
    schema,
    task: written({ task }),
    criteria: written({ criteria: [...criteria, ...commands] }),
    iterations: String(iterations),
    budget: cost_usd === undefined ? "# budget:\n#   cost_usd: 5" : written({ budget: { cost_usd } }),
  });
}

/** A word such as `yes` or `1.0` stays a text in every YAML reader. */
function written(value: object): string {
  return stringify(value, { lineWidth: 0, version: "1.1" }).trimEnd();
}
