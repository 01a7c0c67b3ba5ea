import { stringify } from "yaml";
import { fillTemplate, type Template } from "../../model/template.ts";

/** The contents of a new task file. */
export interface Starter {
  /** Its own name, for messages. */
  file: string;
  /** Where its JSON Schema is: a relative path without spaces. Without it, the file names none. */
  schema?: string | undefined;
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
  return fillTemplate(schema === undefined ? withoutSchema(template) : template, {
    file,
    ...(schema !== undefined && { schema }),
    task: written({ task }),
    criteria: written({ criteria: [...criteria, ...commands] }),
    iterations: String(iterations),
    budget: cost_usd === undefined ? "# budget:\n#   cost_usd: 5" : written({ budget: { cost_usd } }),
  });
}

/** The lines about the schema are the first paragraph. */
function withoutSchema({ file, text }: Template): Template {
  return { file, text: text.slice(text.indexOf("\n\n") + 2) };
}

/** A word such as `yes` or `1.0` stays a text in every YAML reader. */
function written(value: object): string {
  return stringify(value, { lineWidth: 0, version: "1.1" }).trimEnd();
}
