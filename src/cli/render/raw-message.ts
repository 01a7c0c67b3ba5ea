import { z } from "zod";
import { jsonIn } from "../../model/json.ts";
import { StatementRecord } from "../../model/message.ts";

/** What an agent's stream is read for. It is another program's: anything may be missing, anything may be added. */
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
  /** A line of a program that is no Claude Code. */
  text: z.string().optional().catch(undefined),
  model: z.string().optional().catch(undefined),
  /** Set for what an agent says that this agent has started. */
  parent_tool_use_id: z.string().nullish().catch(undefined),
  message: z
    .looseObject({ content: z.union([z.string().transform(textBlock), z.array(Block)]).catch([]) })
    .optional()
    .catch(undefined),
  is_error: z.boolean().optional().catch(undefined),
  result: z.string().optional().catch(undefined),
  errors: z.array(z.string()).optional().catch(undefined),
  /** Why it failed, in the reader's language. */
  problem: StatementRecord.optional().catch(undefined),
  /** What of the errors is ours, in logs of the version before. */
  wordings: z
    .array(z.object({ en: z.string(), ja: z.string() }))
    .optional()
    .catch(undefined),
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
