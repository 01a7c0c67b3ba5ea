export type TemplateNode =
  | { type: "text"; text: string }
  | { type: "value"; path: string }
  | { type: "if" | "each"; path: string; body: TemplateNode[]; otherwise: TemplateNode[] };

type Block = Extract<TemplateNode, { body: TemplateNode[] }>;

interface OpenBlock {
  block: Block;
  inElse: boolean;
}

const TAG = /\{\{\{?([\s\S]*?)\}?\}\}/g;
const PATH = /^(?:\.|@?[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)$/u;

/** The template as a tree, or what is wrong with it and in which line. */
export function parseRetryTemplate(template: string): { nodes: TemplateNode[] } | { problem: string } {
  const nodes: TemplateNode[] = [];
  const open: OpenBlock[] = [];
  let at = 0;
  for (const tag of template.matchAll(TAG)) {
    append(nodes, open, { type: "text", text: template.slice(at, tag.index) });
    const problem = readTag((tag[1] ?? "").trim(), nodes, open);
    if (problem) return { problem: `line ${lineOf(template, tag.index)}: ${problem}` };
    at = tag.index + tag[0].length;
  }
  const rest = template.slice(at);
  const unclosed = rest.indexOf("{{");
  if (unclosed >= 0) return { problem: `line ${lineOf(template, at + unclosed)}: {{ is never closed` };
  append(nodes, open, { type: "text", text: rest });
  const last = open.at(-1)?.block;
  return last ? { problem: `{{#${last.type} ${last.path}}} is never closed` } : { nodes };
}

/** Takes one tag in; returns what is wrong with it. */
function readTag(tag: string, nodes: TemplateNode[], open: OpenBlock[]): string | undefined {
  if (tag.startsWith("!")) return undefined;
  if (tag.startsWith("#")) return openBlock(tag, nodes, open);
  if (tag.startsWith("/")) return closeBlock(tag, open);
  if (tag === "else") return startElse(open);
  if (!PATH.test(tag)) return `{{${tag}}} is not a name`;
  append(nodes, open, { type: "value", path: tag });
  return undefined;
}

function openBlock(tag: string, nodes: TemplateNode[], open: OpenBlock[]): string | undefined {
  const [, type, path = ""] = /^#(if|each)\s+(.+)$/s.exec(tag) ?? [];
  if (type !== "if" && type !== "each") return `{{${tag}}} is neither an if nor an each block`;
  if (!PATH.test(path)) return `{{${tag}}} does not name a value`;
  const block: Block = { type, path, body: [], otherwise: [] };
  append(nodes, open, block);
  open.push({ block, inElse: false });
  return undefined;
}

function closeBlock(tag: string, open: OpenBlock[]): string | undefined {
  const innermost = open.pop()?.block;
  if (!innermost) return `{{${tag}}} closes nothing`;
  const closes = tag.slice(1).trim();
  return closes === innermost.type ? undefined : `{{${tag}}} stands where {{/${innermost.type}}} should`;
}

function startElse(open: OpenBlock[]): string | undefined {
  const innermost = open.at(-1);
  if (!innermost) return "{{else}} belongs to no block";
  if (innermost.inElse) return "a second {{else}} in one block";
  innermost.inElse = true;
  return undefined;
}

function append(nodes: TemplateNode[], open: readonly OpenBlock[], node: TemplateNode): void {
  if (node.type === "text" && node.text === "") return;
  const innermost = open.at(-1);
  if (!innermost) nodes.push(node);
  else if (innermost.inElse) innermost.block.otherwise.push(node);
  else innermost.block.body.push(node);
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
