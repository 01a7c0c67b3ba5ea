import { isRecord, textOf, valueAt } from "../../model/json.ts";
import { parseRetryTemplate, type TemplateFault, type TemplateNode } from "../../model/retry-template.ts";

/** A value's own scope: `{{this}}`, `{{@index}}` … inside an each block. */
interface Scope {
  values: Readonly<Record<string, unknown>>;
  outer?: Scope;
}

/**
 * Fills a retry prompt: `{{x}}`, `{{a.b}}`, `{{#if x}}…{{else}}…{{/if}}`, `{{#each xs}}{{this}} {{this.y}} {{@index}}{{/each}}`.
 * Missing, null, false, 0, the empty text and the empty list are false. Values are inserted as text and never
 * expanded again; a missing one is the empty text. `fillText` sees the author's own text only, for `{uv-…}`.
 */
export function fillRetryTemplate(
  template: string,
  values: Readonly<Record<string, unknown>>,
  fillText: (text: string) => string = (text) => text,
): string | TemplateFault {
  const parsed = parseRetryTemplate(template);
  return "problem" in parsed ? parsed : render(parsed.nodes, { values }, fillText);
}

function render(nodes: readonly TemplateNode[], scope: Scope, fillText: (text: string) => string): string {
  return nodes.map((node) => renderNode(node, scope, fillText)).join("");
}

function renderNode(node: TemplateNode, scope: Scope, fillText: (text: string) => string): string {
  switch (node.type) {
    case "text":
      return fillText(node.text);
    case "value":
      return valueText(lookUp(node.path, scope));
    case "if":
      return render(isTrue(lookUp(node.path, scope)) ? node.body : node.otherwise, scope, fillText);
    case "each": {
      const items = itemsOf(lookUp(node.path, scope));
      if (items.length === 0) return render(node.otherwise, scope, fillText);
      return items.map((_, index) => render(node.body, itemScope(items, index, scope), fillText)).join("");
    }
  }
}

function itemScope(items: readonly unknown[], index: number, outer: Scope): Scope {
  const item = items[index];
  const own = isRecord(item) ? item : {};
  const place = { "@index": index, "@first": index === 0, "@last": index === items.length - 1 };
  return { values: { ...own, ...place, this: item }, outer };
}

function lookUp(path: string, scope: Scope | undefined): unknown {
  const [name = "", ...rest] = path === "." ? ["this"] : path.split(".");
  let at = scope;
  while (at && !Object.hasOwn(at.values, name)) at = at.outer;
  const value = at?.values[name];
  return rest.length === 0 ? value : valueAt(value, rest.join("."));
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isTrue(value) ? [value] : [];
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? value.map(valueText).join(", ") : textOf(value);
}
