import { Ajv } from "ajv";
import type { JsonSchema } from "../../../model/agent.ts";
import { schemaPattern } from "../../../model/schema-pattern.ts";
import type { Draft } from "../check/draft.ts";
import { follow, normalized, parsePointer } from "./pointer.ts";

export function isInternalPointer(reference: string): boolean {
  return reference.startsWith("#/") && parsePointer(reference) !== undefined;
}

/**
 * The intents that a step's schema allows. Some published definitions point into the schema file instead of the step's
 * own schema; where that leads to an enum, what they mean is plain.
 */
export function intentEnum(draft: Draft, stepId: string, schema: JsonSchema): readonly string[] | undefined {
  const step = draft.steps[stepId];
  const parts = parsePointer(step?.structuredGate?.intentSchemaRef ?? "");
  if (!parts) return undefined;
  const own = enumAt(schema, step?.structuredGate?.intentSchemaRef ?? "");
  if (own || !step?.outputSchemaRef) return own;
  const { file } = step.outputSchemaRef;
  const text = [`${draft.schemasBase}/${file}`, file].map((path) => draft.files.get(normalized(path))).find(Boolean);
  return text === undefined ? undefined : enumOf(follow(JSON.parse(text.replace(/^\uFEFF/, "")), parts));
}

/** The texts that a schema allows at a pointer. */
export function enumAt(schema: JsonSchema, pointer: string): readonly string[] | undefined {
  const parts = parsePointer(pointer);
  return parts && enumOf(follow(schema, parts));
}

function enumOf(node: unknown): readonly string[] | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  const { enum: values, const: only } = node as { enum?: unknown; const?: unknown };
  if (Array.isArray(values) && values.every((value) => typeof value === "string")) return values;
  return typeof only === "string" ? [only] : undefined;
}

/** Whether an answer that fits the schema can have a value at a dot path; `maybe` where the schema leaves it open. */
export function fieldIn(schema: JsonSchema, field: string): "yes" | "no" | "maybe" {
  let node: unknown = schema;
  for (const part of field.split(".")) {
    if (typeof node !== "object" || node === null) return "maybe";
    const { properties, additionalProperties, anyOf, oneOf, patternProperties } = node as Record<string, unknown>;
    const next = follow(properties, [part]);
    if (next === undefined) {
      const isClosed = additionalProperties === false && !anyOf && !oneOf && !patternProperties;
      return isClosed ? "no" : "maybe";
    }
    node = next;
  }
  return "yes";
}

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
