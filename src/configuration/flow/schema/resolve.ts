import type { JsonSchema } from "../../../model/agent.ts";
import type { ResolvedSchema } from "../../../model/flow/definition.ts";
import { isRecord } from "../../../model/json.ts";
import { message, type Statement } from "../../../model/message.ts";
import { follow, normalized, parsePointer, siblingOf } from "./pointer.ts";

export interface SchemaReference {
  /** Relative to the folder of schemas, or to the flow's directory. */
  file: string;
  /** A JSON pointer, or a name looked up in `definitions`, `$defs` and the top level. */
  schema: string;
}

type Files = ReadonlyMap<string, string>;
type Node = Readonly<Record<string, unknown>>;

/**
 * Makes schemas whole: no `$ref`, no `allOf`, no `$schema`; every object that does not say otherwise is closed. Each file is
 * parsed once, however many refer to it.
 */
export function schemaResolver(files: Files, base: string): (reference: SchemaReference) => ResolvedSchema {
  const documents = new Map<string, unknown>();
  return ({ file, schema }) => {
    try {
      const path = located(files, file, base);
      const root = documentOf(files, documents, path);
      const start = parsePointer(schema) ? schema : namedPointer(root, schema, path);
      const resolution: Resolution = { files, documents, base, trail: [] };
      const found = resolveReference(resolution, path, start);
      return { schema: closeObjects(withoutIdentity(found)) };
    } catch (error) {
      if (error instanceof Unresolvable) return { problem: error.problem };
      throw error;
    }
  };
}

class Unresolvable extends Error {
  readonly problem: Statement;

  constructor(problem: Statement) {
    super("a schema cannot be resolved");
    this.problem = problem;
  }
}

function noFile(path: string | undefined): Unresolvable {
  return new Unresolvable(message("file_missing", { path }));
}

function malformed(pointer: string): Unresolvable {
  return new Unresolvable(message("schema_pointer_malformed", { pointer }));
}

interface Resolution {
  files: Files;
  documents: Map<string, unknown>;
  base: string;
  /** The references that are being followed, outermost first. */
  trail: string[];
}

function located(files: Files, file: string, base: string): string {
  const candidates = [normalized(`${base}/${file}`), normalized(file)];
  const found = candidates.find((path) => files.has(path));
  if (found === undefined) throw noFile(candidates[0]);
  return found;
}

function documentOf(files: Files, documents: Map<string, unknown>, path: string): unknown {
  if (documents.has(path)) return documents.get(path);
  const text = files.get(path);
  if (text === undefined) throw noFile(path);
  try {
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    documents.set(path, document);
    return document;
  } catch {
    throw new Unresolvable(message("schema_file_broken", { path }));
  }
}

function namedPointer(root: unknown, name: string, path: string): string {
  if (name.startsWith("#")) throw malformed(name);
  const escaped = name.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
  const places = [`#/definitions/${escaped}`, `#/$defs/${escaped}`, `#/${escaped}`];
  const found = places.find((pointer) => isRecord(follow(root, parsePointer(pointer) ?? [])));
  if (!found) throw new Unresolvable(message("schema_name_unknown", { path, name }));
  return found;
}

function resolveReference(resolution: Resolution, file: string, pointer: string): JsonSchema {
  const step = `${file}${pointer}`;
  const { trail } = resolution;
  if (trail.includes(step)) {
    const references = [...trail.slice(trail.indexOf(step)), step];
    throw new Unresolvable(message("schema_cycle", { references }));
  }
  const parts = parsePointer(pointer);
  if (!parts) throw malformed(pointer);
  const node = follow(documentOf(resolution.files, resolution.documents, file), parts);
  if (typeof node === "boolean") return node ? {} : { not: {} };
  if (!isRecord(node)) throw new Unresolvable(message("schema_pointer_nowhere", { pointer, file }));
  trail.push(step);
  const resolved = resolveNode(resolution, file, node);
  trail.pop();
  return resolved;
}

/** Keywords beside a `$ref` or an `allOf` override what these give. */
function resolveNode(resolution: Resolution, file: string, node: Node): JsonSchema {
  const { $ref, allOf, ...own } = node;
  const bases: JsonSchema[] = [];
  if (typeof $ref === "string") bases.push(referenced(resolution, file, $ref));
  else if ($ref !== undefined)
    throw new Unresolvable(message("schema_reference_malformed", { reference: JSON.stringify($ref).slice(0, 100) }));
  if (Array.isArray(allOf)) {
    for (const part of allOf) if (isRecord(part)) bases.push(resolveNode(resolution, file, part));
  }
  const derived = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, resolveKeyword(resolution, file, [key, value])]),
  );
  return bases.length === 0 ? derived : [...bases, derived].reduce(merged);
}

function referenced(resolution: Resolution, file: string, reference: string): JsonSchema {
  const hash = reference.indexOf("#");
  const name = hash === -1 ? reference : reference.slice(0, hash);
  const pointer = hash === -1 ? "#" : reference.slice(hash);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) throw new Unresolvable(message("schema_on_network", { reference }));
  const target = name === "" ? file : siblingOf(resolution.files, file, name, resolution.base);
  if (target === undefined) throw new Unresolvable(message("schema_reference_missing", { name, file }));
  return resolveReference(resolution, target, pointer);
}

/** Keywords whose values are data or names, not schemas. */
const DATA = new Set(["enum", "const", "default", "examples", "required", "type"]);
/** Keywords that hold schemas by name. */
const NAMED = new Set(["properties", "patternProperties", "dependentSchemas"]);
/** Used by reference only, and references are resolved by then. */
const LIBRARIES = new Set(["definitions", "$defs"]);

function resolveKeyword(resolution: Resolution, file: string, [key, value]: readonly [string, unknown]): unknown {
  if (DATA.has(key) || LIBRARIES.has(key)) return value;
  if (Array.isArray(value)) return value.map((item) => (isRecord(item) ? resolveNode(resolution, file, item) : item));
  if (!isRecord(value)) return value;
  if (!NAMED.has(key)) return resolveNode(resolution, file, value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isRecord(inner) ? resolveNode(resolution, file, inner) : inner,
    ]),
  );
}

function withoutIdentity(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, definitions: _definitions, $defs: _defs, ...rest } = schema;
  return rest;
}

/** Merges a schema with one derived from it: `required` is the union; the derived one overrides properties. */
function merged(base: JsonSchema, derived: JsonSchema): JsonSchema {
  const both: Record<string, unknown> = { ...base, ...derived };
  for (const key of ["properties", "patternProperties", "definitions", "$defs"]) {
    if (isRecord(base[key]) && isRecord(derived[key])) both[key] = { ...base[key], ...derived[key] };
  }
  if (Array.isArray(base.required) && Array.isArray(derived.required)) {
    both.required = [...new Set([...base.required, ...derived.required])];
  }
  return both;
}

/** Keywords that hold one schema, or several in a list. */
const NESTED = ["items", "additionalItems", "contains", "additionalProperties"];
const LISTED = ["anyOf", "oneOf", "prefixItems", "items"];

/** Forbids further properties in every object that does not mention them. */
function closeObjects(schema: JsonSchema): JsonSchema {
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

/** An object with `unevaluatedProperties` (draft 2020-12) says itself whether it is open. */
function isObjectSchema(schema: JsonSchema): boolean {
  if (schema.unevaluatedProperties !== undefined) return false;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.includes("object") || (schema.type === undefined && isRecord(schema.properties));
}
