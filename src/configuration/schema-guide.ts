import { z } from "zod";

/** The parts of a JSON Schema that tell people what they may write. */
interface Node {
  type?: string | string[];
  description?: string;
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

/** How a list of possible values ends where null is one. */
export const OR_NULL = ", or null for none";

/** Answers what a schema allows at a path, so that no message repeats by hand what the schema says. */
export interface SchemaGuide {
  /** The keys that may stand at a path. */
  keys(path: readonly PropertyKey[]): string[];
  /** What a value is called: `a whole number`. */
  noun(path: readonly PropertyKey[]): string;
  /** Which values are possible: `1 to 100`. Empty when the noun says it all. */
  allowed(path: readonly PropertyKey[]): string;
  /** The groups that hold a key, dotted; the top level is the empty text. */
  homes(key: string): string[];
  /** All keys of all groups, dotted. */
  readonly paths: readonly string[];
}

export function schemaGuide(schema: z.ZodType): SchemaGuide {
  const root: Node = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input" })));
  const paths = groupedPaths(root);
  return {
    keys: (path) => branches(nodeAt(root, path)).flatMap((node) => Object.keys(node.properties ?? {})),
    noun: (path) => noun(nodeAt(root, path)),
    allowed: (path) => allowed(nodeAt(root, path)),
    homes: (key) =>
      paths.filter((path) => lastPart(path) === key).map((path) => path.slice(0, -key.length).replace(/\.$/, "")),
    paths,
  };
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

function noun(node: Node): string {
  const [first] = node.description ? [] : branches(node);
  const nouns: Record<string, string> = {
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    string: "text",
    array: "a list",
    object: "a group of keys",
  };
  return nouns[String(first?.type)] ?? "possible";
}

function allowed(node: Node): string {
  if (node.description) return node.description;
  const choices = branches(node);
  const nothing = choices.some((choice) => choice.type === "null") ? OR_NULL : "";
  const text = choices.map(limits).find((found) => found !== "") ?? "";
  return text && text + nothing;
}

function limits(node: Node): string {
  if (node.const !== undefined) return `only ${String(node.const)}`;
  if (node.enum) return node.enum.map(String).join(", ");
  if (node.exclusiveMinimum !== undefined) return `more than ${node.exclusiveMinimum}`;
  if (node.minimum === undefined) return "";
  const open = node.maximum === undefined || node.maximum === Number.MAX_SAFE_INTEGER;
  return open ? `at least ${node.minimum}` : `${node.minimum} to ${node.maximum}`;
}

function groupedPaths(node: Node): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, value]) => [
    key,
    ...groupedPaths(value).map((path) => `${key}.${path}`),
  ]);
}
