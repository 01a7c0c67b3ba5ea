import { Ajv, type ValidateFunction } from "ajv";
import type { JsonSchema } from "../../model/agent.ts";
import { schemaPattern } from "../../model/schema-pattern.ts";
import { joined, type Words } from "../../model/statement.ts";
import { misfitWords } from "./misfit-words.ts";

/** Definitions come from other people: keywords and formats that we do not know are no reason to refuse an output. */
const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  allErrors: true,
  addUsedSchema: false,
  ownProperties: true, // a property may be called constructor
  validateSchema: false,
  code: { optimize: false, regExp: schemaPattern }, // a schema is compiled once and used a few times
});
/** By the schema's text: steps of one agent often have the same. A process sees the schemas of a few agents at most. */
const compiled = new Map<string, ValidateFunction>();

/** What keeps an output from fitting its schema; undefined when it fits. */
export function misfit(schema: JsonSchema, output: unknown): Words | undefined {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? compile(schema, text);
  if (typeof validate !== "function") return validate;
  if (validate(output)) return undefined;
  const errors = (validate.errors ?? []).slice(0, 5);
  return joined(errors.map(misfitWords), "; ");
}

/** A schema that cannot be used fits nothing, and says why. */
function compile(schema: JsonSchema, text: string): ValidateFunction | Words {
  try {
    const validate = ajv.compile(schema);
    compiled.set(text, validate);
    return validate;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { en: `the schema cannot be used: ${problem}`, ja: `スキーマを使えません: ${problem}` };
  }
}
