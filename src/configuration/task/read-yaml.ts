import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { E8Error } from "../../model/errors.ts";
import { listed, message } from "../../model/message.ts";
import type { TextFile } from "../../model/text-file.ts";
import { aliasFault, excerpt, expansionFault, syntaxFault, type YamlFault } from "./yaml-faults.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 50;

/** The mapping that a YAML file holds. */
export interface YamlFile {
  name: string;
  data: Readonly<Record<string, unknown>>;
  /** The line of what stands at a path, or of the nearest thing around it. */
  lineOf(path: readonly PropertyKey[]): number;
}

type Refuse = (fault: YamlFault) => E8Error;

/** YAML 1.2, with the merge keys of 1.1. An empty file is an empty mapping. */
export function readYaml(file: TextFile): YamlFile {
  if (Buffer.byteLength(file.text) > MAX_BYTES) throw new E8Error("file_too_large", { path: file.name, limit: "1 MB" });
  const lines = new LineCounter();
  const refuse: Refuse = ({ offset, problem }) =>
    new E8Error("yaml_broken", {
      file: file.name,
      problem: listed([problem, excerpt(file.text, lines, offset)], "\n"),
    });

  refuseDepth([...new Parser(lines.addNewLine).parse(file.text)], refuse);
  // At "silent" the library would also keep quiet about a second document.
  const document = parseDocument(file.text, { prettyErrors: false, merge: true, stringKeys: true, logLevel: "error" });
  const fault = syntaxFault(document, file.text) ?? aliasFault(document);
  if (fault) throw refuse(fault);

  const data = mapping(document, refuse);
  return { name: file.name, data, lineOf: (path) => lines.linePos(offsetOf(document, path)).line };
}

/** The composer recurses: far enough down it does not throw but takes the process with it. */
function refuseDepth(roots: readonly CST.Token[], refuse: Refuse): void {
  const open = roots.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > MAX_DEPTH)
      throw refuse({ offset: token.offset, problem: message("nested_too_deep", { levels: MAX_DEPTH }) });
    for (const part of parts(token)) open.push({ token: part, depth: depth + 1 });
  }
}

function parts(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value ? [token.value] : [];
  if (!("items" in token)) return [];
  return token.items.flatMap((item) => [item.key, item.value]).filter((part) => part !== undefined && part !== null);
}

function mapping(document: Document.Parsed, refuse: Refuse): Record<string, unknown> {
  const data = expanded(document, refuse) ?? {};
  if (typeof data === "object" && !Array.isArray(data)) return data as Record<string, unknown>;
  throw refuse({
    offset: document.contents?.range[0] ?? 0,
    problem: message("yaml_not_mapping", { is: Array.isArray(data) ? "list" : "value" }),
  });
}

function expanded(document: Document.Parsed, refuse: Refuse): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw refuse(expansionFault(document, error));
  }
}

/** Where the key or list entry at a path begins; when the path leads nowhere, its last part that exists. */
export function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let offset = document.contents?.range[0] ?? 0;
  let node: unknown = document.contents;
  for (const step of path) {
    const found = child(isAlias(node) ? node.resolve(document) : node, step);
    if (!found) return offset;
    ({ offset, node } = found);
  }
  return offset;
}

interface YamlPlace {
  offset: number;
  node: unknown;
}

function child(parent: unknown, step: PropertyKey): YamlPlace | undefined {
  if (isMap(parent)) return valueAt(parent, String(step));
  if (!isSeq(parent)) return undefined;
  const node = parent.items[Number(step)];
  return isNode(node) && node.range ? { offset: node.range[0], node } : undefined;
}

function valueAt(map: YAMLMap, key: string): YamlPlace | undefined {
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  if (!pair || !isScalar(pair.key) || !pair.key.range) return undefined;
  return { offset: pair.key.range[0], node: pair.value };
}
