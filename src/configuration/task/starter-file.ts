import { stringify } from "yaml";
import { fillTemplate, type Template } from "../../model/template.ts";
import type { SetupGuess } from "./guess-setup.ts";

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
  /** What prepares a clean checkout, where the project tells. */
  prepared?: SetupGuess | undefined;
}

/** The text of a new task file, with comments on further keys. */
export function starterFile(template: Template, starter: Starter): string {
  const { file, schema, task, criteria, checks, iterations, cost_usd, prepared } = starter;
  const commands = checks.map((command) => ({ type: "command", command }));
  return fillTemplate(schema === undefined ? withoutSchema(template) : template, {
    file,
    ...(schema !== undefined && { schema }),
    task: written({ task }),
    criteria: written({ criteria: [...criteria, ...commands] }),
    iterations: String(iterations),
    budget: cost_usd === undefined ? "# budget:\n#   cost_usd: 5" : written({ budget: { cost_usd } }),
    setup: prepared && prepared.setup.length > 0 ? setupLines(prepared) : EXAMPLE_SETUP,
  });
}

const EXAMPLE_SETUP = "# setup: npm ci\n# keep: [node_modules]";

function setupLines({ setup, keep }: SetupGuess): string {
  const [first, ...more] = setup;
  return written({ setup: more.length > 0 ? setup : first, ...(keep.length > 0 && { keep }) });
}

/** The lines about the schema are the first paragraph. */
function withoutSchema({ file, text }: Template): Template {
  return { file, text: text.slice(text.indexOf("\n\n") + 2) };
}

/** A word such as `yes` or `1.0` stays a text in every YAML reader. */
function written(value: object): string {
  return stringify(value, { lineWidth: 0, version: "1.1" }).trimEnd();
}
