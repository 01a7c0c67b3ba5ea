import { z } from "zod";
import { type Statement, worded } from "../model/statement.ts";
import { translated } from "./translations.ts";

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

const KINDS = ["integer", "number", "boolean", "string", "array", "object"] as const;
/** `any`: several kinds are possible, or one that the schema describes itself. */
export type Kind = (typeof KINDS)[number] | "any";

/** Answers what a schema allows at a path, so that no message repeats by hand what the schema says. */
export interface SchemaGuide {
  /** The keys that may stand at a path. */
  keys(path: readonly PropertyKey[]): string[];
  /** What a value must be. */
  kind(path: readonly PropertyKey[]): Kind;
  /** Which values are possible: `1 to 100`. Empty when the kind says it all. */
  allowed(path: readonly PropertyKey[]): Statement;
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

function kindOf(node: Node): Kind {
  const [first] = node.description ? [] : branches(node);
  return KINDS.find((kind) => kind === first?.type) ?? "any";
}

function allowed(node: Node, offersNull: boolean): Statement {
  if (node.description) return translated(node.description);
  const choices = branches(node);
  const text = choices.map(limits).find((found) => found !== "") ?? "";
  if (text === "" || !offersNull || !choices.some((choice) => choice.type === "null")) return text;
  return worded(
    (say) => `${say(text)}, or null for none`,
    (say) => `${say(text)}、または null（なし）`,
  );
}

function limits({ const: only, enum: values, exclusiveMinimum, minimum, maximum }: Node): Statement {
  if (only !== undefined) return { en: `only ${String(only)}`, ja: `${String(only)} のみ` };
  if (values) return values.map(String).join(", ");
  if (exclusiveMinimum !== undefined) return { en: `more than ${exclusiveMinimum}`, ja: `${exclusiveMinimum} より大` };
  if (minimum === undefined) return "";
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  if (isOpen) return { en: `at least ${minimum}`, ja: `${minimum} 以上` };
  return { en: `${minimum} to ${maximum}`, ja: `${minimum}〜${maximum}` };
}

function groupedPaths(node: Node): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, value]) => [
    key,
    ...groupedPaths(value).map((path) => `${key}.${path}`),
  ]);
}
