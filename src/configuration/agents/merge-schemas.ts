import type { JsonSchema } from "../../model/agent.ts";

type Group = Readonly<Record<string, unknown>>;

/** A schema and one derived from it: `required` is the union, and of a property given twice the derived one stands. */
export function merged(base: JsonSchema, derived: JsonSchema): JsonSchema {
  const both: Record<string, unknown> = { ...base, ...derived };
  for (const key of ["properties", "patternProperties", "definitions", "$defs"]) {
    if (isGroup(base[key]) && isGroup(derived[key])) both[key] = { ...base[key], ...derived[key] };
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
    if (isGroup(group))
      closed[key] = Object.fromEntries(Object.entries(group).map(([name, part]) => [name, within(part)]));
  }
  for (const key of NESTED) if (isGroup(closed[key])) closed[key] = within(closed[key]);
  for (const key of LISTED) if (Array.isArray(closed[key])) closed[key] = closed[key].map(within);
  if (isObjectSchema(closed) && closed.additionalProperties === undefined) closed.additionalProperties = false;
  return closed;
}

function within(part: unknown): unknown {
  return isGroup(part) ? closeObjects(part) : part;
}

/** `unevaluatedProperties` says it in the words of draft 2020-12. */
function isObjectSchema(schema: Group): boolean {
  if (schema.unevaluatedProperties !== undefined) return false;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.includes("object") || (schema.type === undefined && isGroup(schema.properties));
}

function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
