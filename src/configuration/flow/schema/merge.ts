import type { JsonSchema } from "../../../model/agent.ts";
import { isRecord } from "../../../model/json.ts";

/** A schema and one derived from it: `required` is the union, and of a property given twice the derived one stands. */
export function merged(base: JsonSchema, derived: JsonSchema): JsonSchema {
  const both: Record<string, unknown> = { ...base, ...derived };
  for (const key of ["properties", "patternProperties", "definitions", "$defs"]) {
    if (isRecord(base[key]) && isRecord(derived[key])) both[key] = { ...base[key], ...derived[key] };
  }
  if (Array.isArray(base.required) && Array.isArray(derived.required)) {
    both.required = [...new Set([...base.required, ...derived.required])];
  }
  return both;
}

/** Keywords that hold schemas by name, one schema or a list, or several. */
const NAMED = ["properties", "patternProperties", "dependentSchemas"];
const NESTED = ["items", "additionalItems", "contains", "additionalProperties"];
const LISTED = ["anyOf", "oneOf", "prefixItems", "items"];

/** Closes every object that says nothing about further properties: what is not asked for must not come. */
export function closeObjects(schema: JsonSchema): JsonSchema {
  const closed: Record<string, unknown> = { ...schema };
  for (const key of NAMED) {
    const group = closed[key];
    if (isRecord(group))
      closed[key] = Object.fromEntries(Object.entries(group).map(([name, part]) => [name, within(part)]));
  }
  for (const key of NESTED) if (isRecord(closed[key])) closed[key] = within(closed[key]);
  for (const key of LISTED) if (Array.isArray(closed[key])) closed[key] = closed[key].map(within);
  if (isObjectSchema(closed) && closed.additionalProperties === undefined) closed.additionalProperties = false;
  return closed;
}

function within(part: unknown): unknown {
  return isRecord(part) ? closeObjects(part) : part;
}

/** `unevaluatedProperties` says it in the words of draft 2020-12. */
function isObjectSchema(schema: JsonSchema): boolean {
  if (schema.unevaluatedProperties !== undefined) return false;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.includes("object") || (schema.type === undefined && isRecord(schema.properties));
}
