import { z } from "zod";

const Schema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
const Tool = z.looseObject({ name: z.string().optional(), input_schema: Schema.optional() });
const Message = z.looseObject({ role: z.string(), content: z.unknown() });

/** A Messages API request, as far as a story needs to understand it. */
export const MessagesRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message),
  system: z.unknown().optional(),
  stream: z.boolean().optional(),
  tools: z.array(Tool).optional(),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).optional(),
  output_config: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).optional(),
});
export type MessagesRequest = z.infer<typeof MessagesRequest>;

const markerLine = /^[ \t]*endless8-(?:role|step):[ \t]*(\S+)[ \t]*$/gm;
const addressLines = /^endless8-role: (\S+)\n(?:endless8-step: (\S+)\n)?/;

/**
 * Who asks: the values of the `endless8-role:` and `endless8-step:` lines of the system text, in order. Where that describes several
 * roles, a message opens with the lines of the one that is meant.
 */
export function names(request: MessagesRequest): string[] {
  for (const text of spokenTexts(request)) {
    const [, role, step] = addressLines.exec(text) ?? [];
    if (role !== undefined) return step === undefined ? [role] : [role, step];
  }
  const found = systemTexts(request).flatMap((text) => [...text.matchAll(markerLine)].map((match) => match[1] ?? ""));
  return [...new Set(found)];
}

/** Whether any text of the request holds these words. */
export function mentions(request: MessagesRequest, words: string): boolean {
  return [request.system, request.messages].flatMap(strings).some((text) => text.includes(words));
}

/** The text that opens the conversation: what a client's retry has in common with its first attempt. */
export function opening(request: MessagesRequest): string {
  const first = request.messages.find((message) => message.role === "user");
  return texts(first?.content).join("\n");
}

/** How often the model has replied in this conversation so far. */
export function replies(request: MessagesRequest): number {
  return request.messages.filter((message) => message.role === "assistant").length;
}

/** The ids of the tool calls the model has made, latest first. */
export function toolUseIds(request: MessagesRequest): string[] {
  return request.messages
    .filter((message) => message.role === "assistant")
    .flatMap((message) => blocks(message.content))
    .filter((block) => block.type === "tool_use")
    .flatMap((block) => (typeof block.id === "string" ? [block.id] : []))
    .reverse();
}

/** Claude Code sends parts of the system text as messages for some models. */
function systemTexts(request: MessagesRequest): string[] {
  const messages = request.messages.filter((message) => message.role === "system");
  return [request.system, ...messages.map((message) => message.content)].flatMap(texts);
}

function spokenTexts(request: MessagesRequest): string[] {
  return request.messages.filter((message) => message.role === "user").flatMap((message) => texts(message.content));
}

function texts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return blocks(content).flatMap((block) => (typeof block.text === "string" ? [block.text] : []));
}

function blocks(content: unknown): Record<string, unknown>[] {
  return Array.isArray(content) ? content.filter((block) => typeof block === "object" && block !== null) : [];
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
