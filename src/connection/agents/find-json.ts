import type { JsonSchema } from "../../model/agent.ts";
import { isRecord } from "../../model/json.ts";

/**
 * All different JSON objects in a text that could be the answer of a role, because they have what its schema requires. A role
 * answers once: where there are two, one may be quoted from what it was to judge, and nobody can tell which. What a model thinks
 * before it answers is no answer. `own`: what an object says in the role that was asked.
 */
export function answersIn(
  text: string,
  schema: JsonSchema = {},
  own = (object: unknown) => object,
): Record<string, unknown>[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const said = text.replace(THOUGHTS, "");
  const whole = parseObject(said);
  const answers = (whole ? [whole] : [...embedded(said)])
    .map(own)
    .filter(isRecord)
    .filter((object) => required.every((name) => Object.hasOwn(object, name)));
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()];
}

const THOUGHTS = /^\s*<think>[\s\S]*?<\/think>/;

/**
 * The JSON object an agent meant as its answer: the whole text, else the last fenced block that is one, else the last one
 * embedded in prose. Undefined where there is none. Linear in the length of the text.
 */
export function findJson(text: string): Record<string, unknown> | undefined {
  return parseObject(text) ?? lastFenced(text) ?? lastEmbedded(text);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}

const FENCE = /^[ \t]*(?:```|~~~)[^\n]*$/gm;

/** Walks the fences from the end: the stretch between two neighbouring ones is a block, or the prose between two blocks. */
function lastFenced(text: string): Record<string, unknown> | undefined {
  const fences = [...text.matchAll(FENCE)].reverse();
  for (const [index, closing] of fences.entries()) {
    const opening = fences[index + 1];
    const block = opening && parseObject(text.slice(opening.index + opening[0].length, closing.index));
    if (block) return block;
  }
  return undefined;
}

function lastEmbedded(text: string): Record<string, unknown> | undefined {
  return [...embedded(text)].at(-1);
}

/** Every object in a text, but none inside another. */
function* embedded(text: string): Generator<Record<string, unknown>> {
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = endOfTokens(text, start);
    const object = parseObject(text.slice(start, end));
    if (object) yield object;
    start = text.indexOf("{", Math.max(end, start + 1));
  }
}

const TOKEN = /\s*(?:([{[])|([}\]])|[,:]|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null)/y;

/** Where the brackets opened at `start` are closed, or where what follows can no longer be JSON. */
function endOfTokens(text: string, start: number): number {
  let depth = 0;
  TOKEN.lastIndex = start;
  for (let position = start; ; position = TOKEN.lastIndex) {
    const token = TOKEN.exec(text);
    if (!token) return position;
    if (token[1]) depth += 1;
    if (token[2]) depth -= 1;
    if (depth === 0) return TOKEN.lastIndex;
  }
}
