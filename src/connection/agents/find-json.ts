import type { JsonSchema } from "../../model/agent.ts";
import { isRecord, jsonIn, jsonObjectsIn } from "../../model/json.ts";

/** Claude Code and some servers refuse a schema that names the dialect it is written in. */
export function withoutDialect({ $schema: _, ...schema }: JsonSchema): Record<string, unknown> {
  return schema;
}

/**
 * All different JSON objects in a text that have the members which a role's schema requires. A role answers once: of two
 * objects, one may be quoted from the material that it judges. The model's thoughts before its answer are skipped.
 * `own` takes the part of an object that belongs to the role.
 */
export function answersIn(
  text: string,
  schema: JsonSchema = {},
  own = (object: unknown) => object,
): Record<string, unknown>[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const said = text.replace(THOUGHTS, "");
  const whole = parseObject(said);
  const answers = (whole ? [whole] : [...jsonObjectsIn(said)])
    .map(own)
    .filter(isRecord)
    .filter((object) => required.every((name) => Object.hasOwn(object, name)));
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()];
}

const THOUGHTS = /^\s*<think>[\s\S]*?<\/think>/;

/**
 * The JSON object that an agent meant as its answer: the whole text, else the last fenced block with an object, else the last
 * object in the prose. Linear in the length of the text.
 */
export function findJson(text: string): Record<string, unknown> | undefined {
  return parseObject(text) ?? lastFenced(text) ?? [...jsonObjectsIn(text)].at(-1);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = jsonIn(text.trim());
  return isRecord(value) ? value : undefined;
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
