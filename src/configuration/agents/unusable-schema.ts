import { Ajv } from "ajv";
import type { JsonSchema } from "../../model/agent.ts";
import { schemaPattern } from "../../model/schema-pattern.ts";

const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  code: { optimize: false, regExp: schemaPattern },
});

/** Why no answer could ever be held against a schema: a type that does not exist, a pattern that cannot be read. */
export function whyUnusable(schema: JsonSchema): string | undefined {
  try {
    ajv.compile(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
