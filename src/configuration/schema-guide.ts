import { z } from "zod";
import { message, type Statement } from "../model/message.ts";
import type { ValueForm, ValueKind } from "../model/messages/configuration.ts";

/** The parts of a JSON Schema that tell people what they may write. */
interface Node {
  type?: string | string[];
  /** Words that describe the value where the schema alone does not. */
  form?: ValueForm;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

const KINDS: readonly ValueKind[] = ["integer", "number", "boolean", "string", "array", "object"];
/** `any`: several kinds are possible, or a form that takes words to describe. */
export type Kind = ValueKind | "any";

/** Answers what a schema allows at a path, so that no message repeats by hand what the schema says. */
export interface SchemaGuide {
  /** The keys that may stand at a path. */
  keys(path: readonly PropertyKey[]): string[];
  /** What a value must be. */
  kind(path: readonly PropertyKey[]): Kind;
  /** Which values are possible: `1 to 1000`. Undefined when the kind says it all. */
  allowed(path: readonly PropertyKey[]): Statement | undefined;
  /** The values that are possible, where the schema lists them. */
  choices(path: readonly PropertyKey[]): string[];
  /** The groups that hold a key, dotted; the top level is the empty text. */
  homes(key: string): string[];
  /** All keys of all groups, dotted. */
  readonly paths: readonly string[];
}

/** Flags and variables cannot say null; a guide to them does not offer it. */
export function schemaGuide(schema: z.ZodType, { offersNull = true } = {}): SchemaGuide {
  const root: Node = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input" })));
  const paths = groupedPaths(root);
  return {
    keys: (path) => branches(nodeAt(root, path)).flatMap((node) => Object.keys(node.properties ?? {})),
    kind: (path) => kindOf(nodeAt(root, path)),
    allowed: (path) => allowed(nodeAt(root, path), offersNull),
    choices: (path) => branches(nodeAt(root, path)).flatMap(choicesOf),
    homes: (key) =>
      paths.filter((path) => lastPart(path) === key).map((path) => path.slice(0, -key.length).replace(/\.$/, "")),
    paths,
  };
}

/** Says that a value is not of the kind it should be. */
export function notOfKind(value: Statement, kind: Kind): Statement {
  return kind === "any" ? message("value_impossible", { value }) : message("value_not_kind", { value, kind });
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

function nodeAt(root: Node, path: readonly PropertyKey[]): Node {
  let node = root;
  for (const step of path) {
    const next = branches(node)
      .map((branch) => within(branch, step))
      .find((found) => found !== undefined);
    if (!next) return {};
    node = next;
  }
  return node;
}

function within(node: Node, step: PropertyKey): Node | undefined {
  if (typeof step === "number") return node.items;
  const rest = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  return node.properties?.[String(step)] ?? rest;
}

/** A node, or what its union offers instead. */
function branches(node: Node): Node[] {
  const choices = node.anyOf ?? node.oneOf;
  if (choices) return choices.flatMap(branches);
  return Array.isArray(node.type) ? node.type.map((type) => ({ ...node, type })) : [node];
}

function kindOf(node: Node): Kind {
  const [first] = node.form ? [] : branches(node);
  return KINDS.find((kind) => kind === first?.type) ?? "any";
}

function allowed(node: Node, offersNull: boolean): Statement | undefined {
  const possible = branches(node);
  const found = node.form
    ? message("value_form", { form: node.form })
    : possible.map(limits).find((limit) => limit !== undefined);
  if (found === undefined || !offersNull || !possible.some(({ type }) => type === "null")) return found;
  return message("value_or_null", { allowed: found });
}

function limits(node: Node): Statement | undefined {
  const { const: only, exclusiveMinimum, minimum, maximum } = node;
  if (only !== undefined) return message("value_only", { value: String(only) });
  if (node.enum) return message("value_choices", { choices: choicesOf(node) });
  if (exclusiveMinimum !== undefined) return message("value_more_than", { minimum: exclusiveMinimum });
  if (minimum === undefined) return undefined;
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  return isOpen ? message("value_at_least", { minimum }) : message("value_between", { minimum, maximum });
}

function choicesOf({ enum: values, const: only }: Node): string[] {
  return (values ?? (only === undefined ? [] : [only])).map(String);
}

function groupedPaths(node: Node): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, value]) => [
    key,
    ...groupedPaths(value).map((path) => `${key}.${path}`),
  ]);
}
