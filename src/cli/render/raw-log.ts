import { retold } from "../../model/telling.ts";
import { teller } from "../../texts/tell.ts";
import type { Paint } from "../output.ts";
import type { Texts } from "../texts/en.ts";
import { dollars, duration, fitted, indented, printable } from "./lines.ts";
import { type Block, contentText, type RawMessage, readRawMessage } from "./raw-message.ts";

export interface LogStyle {
  texts: Texts;
  paint: Paint;
  width: number;
}

const RESULT_LINES = 6;
const NARROWEST = 20;

/** A message of the raw stream for people: texts whole, tool calls in a line, their results shortened, what it took. */
export function rawLogText(line: string, style: LogStyle): string[] {
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
  const { usage, is_error, errors = [], problem, wordings, result } = message;
  const tokensIn = (usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0);
  const facts = [
    texts.logs.turns(message.num_turns),
    texts.logs.tokens(tokensIn, usage?.output_tokens ?? 0),
    dollars(message.total_cost_usd),
    duration(message.duration_ms / 1000, texts.units),
  ];
  const inWords = (text: string) => retold(texts.language, { text, wordings });
  const said = problem === undefined ? errors.map(inWords) : [teller(texts.language)(problem)];
  const failure = is_error
    ? [message.subtype ?? "error", ...said, ...(errors.length === 0 && result ? [result] : [])]
    : [];
  return [...failure.map((text) => paint("red", `${by}✘ ${printable(text)}`)), `${by}Σ ${facts.join("  ")}`];
}
