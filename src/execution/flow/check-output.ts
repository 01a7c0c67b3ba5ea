import { Ajv, type ValidateFunction } from "ajv";
import type { JsonSchema } from "../../model/agent.ts";

/** Definitions come from other people: keywords and formats that we do not know are no reason to refuse an output. */
const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  allErrors: true,
  addUsedSchema: false,
  code: { optimize: false }, // a schema is compiled once and used a few times
});
const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** What keeps an output from fitting its schema; undefined when it fits. */
export function misfit(schema: JsonSchema, output: unknown): string | undefined {
  const validate = compiled.get(schema) ?? compile(schema);
  if (validate(output)) return undefined;
  const errors = (validate.errors ?? []).slice(0, 5);
  return errors.map(({ instancePath, message }) => `${instancePath || "the output"} ${message}`).join("; ");
}

function compile(schema: JsonSchema): ValidateFunction {
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}
