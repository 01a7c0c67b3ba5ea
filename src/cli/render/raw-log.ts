import { z } from "zod";
import type { LogLine } from "../../compose/looking-back.ts";
import type { RunEvent } from "../../model/events.ts";
import { jsonIn } from "../../model/json.ts";
import { StatementRecord } from "../../model/message-record.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import type { Paint } from "../output.ts";
import { duration, knownCost } from "./amounts.ts";
import { fitted } from "./columns.ts";
import { indented, printable } from "./lines.ts";
import { progressLines } from "./progress.ts";

export interface LogStyle {
  texts: Texts;
  paint: Paint;
  width: number;
}

const RESULT_LINES = 6;
const NARROWEST = 20;

export function logText(entry: LogLine, style: LogStyle): string[] {
  return "line" in entry ? rawLogText(entry.line, style) : eventLogText(entry.envelope.event, style);
}

/** A stored event for people: texts as far as they were stored, everything else in a line. */
function eventLogText(event: RunEvent, style: LogStyle): string[] {
  switch (event.type) {
    case "text":
      return hanging("📝 ", event.cut_from === undefined ? event.text : `${event.text}…`, "  ");
    case "tool-call":
      return [
        style.paint("cyan", `  → ${fitted([event.tool, event.detail].filter(Boolean).join(": "), style.width - 4)}`),
      ];
    default:
      return progressLines(event, { ...style, verbose: true, level: "info" });
  }
}

/** A message of the raw stream for people: texts whole, tool calls in a line, their results shortened, what it took. */
function rawLogText(line: string, style: LogStyle): string[] {
  const message = readRawMessage(line);
  if (!message) return [`  ${fitted(line, style.width - 2)}`];
  const by = message.parent_tool_use_id ? "      " : "  ";
  switch (message.type) {
    case "system":
      return message.subtype === "init" && message.model ? [style.paint("dim", `${by}${message.model}`)] : [];
    case "text":
      return [`${by}${printable(message.text ?? "")}`.trimEnd()];
    case "assistant":
    case "user":
      return (message.message?.content ?? []).flatMap((block) => blockLines(block, by, style));
    case "result":
      return resultLines(message, by, style);
    default:
      return [];
  }
}

function blockLines(block: Block, by: string, style: LogStyle): string[] {
  const room = Math.max(NARROWEST, style.width - by.length - 2);
  switch (block.type) {
    case "text":
      return hanging("📝 ", block.text ?? "", by);
    case "thinking":
      return block.thinking ? [style.paint("dim", `${by}… ${fitted(block.thinking, room)}`)] : [];
    case "tool_use":
      return [style.paint("cyan", `${by}→ ${fitted(`${block.name ?? ""}: ${detailOf(block.input ?? {})}`, room)}`)];
    case "tool_result":
      return toolResultLines(block, { by, room }, style);
    default:
      return [];
  }
}

function hanging(mark: string, text: string, by: string): string[] {
  const [first = "", ...rest] = printable(text).trim().split("\n");
  return [`${by}${mark}${first}`.trimEnd(), ...indented(rest.join("\n"), `${by}   `).slice(0, rest.length)];
}

const TELLING = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description", "prompt"];

/** The one value that says what a call is about, or all of them. */
function detailOf(input: Record<string, unknown>): string {
  const key = TELLING.find((name) => typeof input[name] === "string" && input[name] !== "");
  return key === undefined ? JSON.stringify(input) : String(input[key]);
}

/** Of a long result the end is shown: that is where failures stand. */
function toolResultLines(
  { content, is_error }: Block,
  { by, room }: { by: string; room: number },
  { paint, texts }: LogStyle,
): string[] {
  const lines = contentText(content)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const hidden = Math.max(0, lines.length - RESULT_LINES);
  const shown = [...(hidden > 0 ? [texts.linesLeftOut(hidden)] : []), ...lines.slice(hidden)];
  const mark = is_error ? "✘ " : "← ";
  return shown.map((line, index) =>
    paint(is_error ? "red" : "dim", `${by}${index === 0 ? mark : "  "}${fitted(line, room)}`),
  );
}

function resultLines(message: RawMessage, by: string, { texts, paint }: LogStyle): string[] {
  const { usage, is_error, errors = [], problem, result } = message;
  const tokensIn = (usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0);
  const facts = [
    texts.logs.turns(message.num_turns),
    ...(usage ? [texts.logs.tokens(tokensIn, usage.output_tokens)] : []), // an agent may not say them
    ...knownCost(message.total_cost_usd),
    duration(message.duration_ms / 1000, texts.units),
  ];
  const said = problem === undefined ? errors.map(teller(texts.language)) : [teller(texts.language)(problem)];
  // Errors of the API have the subtype "success", too: then the result says what went wrong.
  const kind = message.subtype === "success" ? [] : [message.subtype ?? "error"];
  const why = [...kind, ...said, ...(errors.length === 0 && result ? [result] : [])];
  const failure = why.length > 0 ? why : [texts.error];
  return [
    ...(is_error ? failure : []).map((text) => paint("red", `${by}✘ ${printable(text)}`)),
    `${by}Σ ${facts.join("  ")}`,
  ];
}

/** The parts of an agent's stream that are shown. Another program writes it: anything may be missing or added. */
const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional().catch(undefined),
  thinking: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  input: z.record(z.string(), z.unknown()).optional().catch(undefined),
  content: z.unknown().optional(),
  is_error: z.boolean().optional().catch(undefined),
});
export type Block = z.infer<typeof Block>;

const count = z.number().default(0).catch(0);

const RawMessage = z.looseObject({
  type: z.string(),
  subtype: z.string().optional().catch(undefined),
  /** A line of an agent that is another program. */
  text: z.string().optional().catch(undefined),
  model: z.string().optional().catch(undefined),
  /** Set for messages of a subagent. */
  parent_tool_use_id: z.string().nullish().catch(undefined),
  message: z
    .looseObject({ content: z.union([z.string().transform(textBlock), z.array(Block)]).catch([]) })
    .optional()
    .catch(undefined),
  is_error: z.boolean().optional().catch(undefined),
  result: z.string().optional().catch(undefined),
  errors: z.array(StatementRecord).optional().catch(undefined),
  /** Why it failed, where that is a fact of ours. */
  problem: StatementRecord.optional().catch(undefined),
  num_turns: count,
  total_cost_usd: count,
  duration_ms: count,
  usage: z
    .looseObject({ input_tokens: count, cache_creation_input_tokens: count, output_tokens: count })
    .optional()
    .catch(undefined),
});
export type RawMessage = z.infer<typeof RawMessage>;

/** Undefined for a line that holds no message. */
export function readRawMessage(line: string): RawMessage | undefined {
  return RawMessage.safeParse(jsonIn(line)).data;
}

/** The text of a tool's result, which is a string or a list of blocks. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = z.array(Block).safeParse(content).data ?? [];
  return blocks.map(({ type, text }) => text ?? `[${type}]`).join("\n");
}

function textBlock(text: string): Block[] {
  return [{ type: "text", text }];
}
