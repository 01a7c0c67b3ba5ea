import { type Message, message } from "./message.ts";

export type TemplateNode =
  | { type: "text"; text: string }
  | { type: "value"; path: string; line: number }
  | { type: "if" | "each"; path: string; line: number; body: TemplateNode[]; otherwise: TemplateNode[] };

type Block = Extract<TemplateNode, { body: TemplateNode[] }>;

interface OpenBlock {
  block: Block;
  inElse: boolean;
}

const TAG = /\{\{\{?([\s\S]*?)\}?\}\}/g;
const PATH = /^(?:\.|@?[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)$/u;

/** What is wrong with a template, and in which of its lines. */
export interface TemplateFault {
  problem: Message;
  line: number;
}

/** A retry prompt as a tree, or its first fault. */
export function parseRetryTemplate(template: string): { nodes: TemplateNode[] } | TemplateFault {
  const nodes: TemplateNode[] = [];
  const open: OpenBlock[] = [];
  let at = 0;
  for (const tag of template.matchAll(TAG)) {
    append(nodes, open, { type: "text", text: template.slice(at, tag.index) });
    const line = lineOf(template, tag.index);
    const problem = readTag({ text: (tag[1] ?? "").trim(), line }, nodes, open);
    if (problem) return { problem, line };
    at = tag.index + tag[0].length;
  }
  const rest = template.slice(at);
  const unclosed = rest.indexOf("{{");
  if (unclosed >= 0)
    return { problem: message("template_unclosed", { tag: "{{" }), line: lineOf(template, at + unclosed) };
  append(nodes, open, { type: "text", text: rest });
  const last = open.at(-1)?.block;
  return last
    ? { problem: message("template_unclosed", { tag: `{{#${last.type} ${last.path}}}` }), line: last.line }
    : { nodes };
}

/**
 * The values that a template uses, by their first names, with the line of the first use. Names inside an each block may belong to
 * the item and are left out.
 */
export function retryTemplateNames(nodes: readonly TemplateNode[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { name, line } of namesIn(nodes)) if (!names.has(name)) names.set(name, line);
  return names;
}

function namesIn(nodes: readonly TemplateNode[]): { name: string; line: number }[] {
  return nodes.flatMap((node) => {
    if (node.type === "text") return [];
    const name = node.path.split(".")[0] ?? "";
    const own = name === "" || name === "this" || name.startsWith("@") ? [] : [{ name, line: node.line }];
    if (node.type === "value") return own;
    return [...own, ...(node.type === "if" ? namesIn(node.body) : []), ...namesIn(node.otherwise)];
  });
}

interface Tag {
  text: string;
  line: number;
}

/** Adds one tag to the tree; returns its fault where it has one. */
function readTag(tag: Tag, nodes: TemplateNode[], open: OpenBlock[]): Message | undefined {
  const { text, line } = tag;
  if (text.startsWith("!")) return undefined;
  if (text.startsWith("#")) return openBlock(tag, nodes, open);
  if (text.startsWith("/")) return closeBlock(text, open);
  if (text === "else") return startElse(open);
  if (!PATH.test(text)) return message("template_name_invalid", { tag: text });
  append(nodes, open, { type: "value", path: text, line });
  return undefined;
}

function openBlock({ text, line }: Tag, nodes: TemplateNode[], open: OpenBlock[]): Message | undefined {
  const [, type, path = ""] = /^#(if|each)\s+(.+)$/s.exec(text) ?? [];
  if (type !== "if" && type !== "each") return message("template_block_unknown", { tag: text });
  if (!PATH.test(path)) return message("template_block_unnamed", { tag: text });
  const block: Block = { type, path, line, body: [], otherwise: [] };
  append(nodes, open, block);
  open.push({ block, inElse: false });
  return undefined;
}

function closeBlock(text: string, open: OpenBlock[]): Message | undefined {
  const innermost = open.pop()?.block;
  if (!innermost) return message("template_close_unopened", { tag: text });
  if (text.slice(1).trim() === innermost.type) return undefined;
  return message("template_close_mismatched", { tag: text, expected: `/${innermost.type}` });
}

function startElse(open: OpenBlock[]): Message | undefined {
  const innermost = open.at(-1);
  if (!innermost) return message("template_else_outside", {});
  if (innermost.inElse) return message("template_else_twice", {});
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
