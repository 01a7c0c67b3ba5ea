import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type YAMLMap } from "yaml";

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
