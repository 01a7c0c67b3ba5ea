import { z } from "zod";

const text = z.string().min(1);
const count = z.int().min(0);
const data = z.record(z.string(), z.unknown());

/** A failure instead of a reply. With a status alone it is an error as the Messages API words it. */
export const Fault = z
  .strictObject({
    status: z.int().min(400).max(599).optional(),
    message: text.optional(),
    /** Seconds, sent as the `retry-after` header. */
    retry_after: count.optional(),
    /** Epoch seconds at which a used-up subscription limit resets. */
    resets_at: z.int().positive().optional(),
    /** The same, in seconds from the moment of the answer: for stories kept in a file. */
    resets_in: z.int().positive().optional(),
    kind: z.enum(["malformed", "stall", "disconnect", "empty", "html"]).optional(),
  })
  .refine((fault) => lacks(fault, "resets_at") || lacks(fault, "resets_in"), "give resets_at or resets_in, not both")
  .refine(
    (fault) => lacks(fault, "kind") || lacks(fault, "retry_after", "resets_at", "resets_in"),
    "a fault with a kind takes no retry_after, resets_at or resets_in",
  )
  .refine(
    (fault) => lacks(fault, "kind") || fault.kind === "html" || lacks(fault, "status", "message"),
    "only the kind html takes a status or a message",
  );
export type Fault = z.infer<typeof Fault>;

const ToolUse = z.strictObject({ tool: text, input: data });

const Tokens = z.strictObject({
  input: count.optional(),
  output: count.optional(),
  cache_creation: count.optional(),
  cache_read: count.optional(),
});

/** One reply of the model: the answer to one request. */
export const Turn = z
  .strictObject({
    say: z.string().optional(),
    use: z.array(ToolUse).min(1).optional(),
    /** The structured answer, in whichever form the client asked for it. */
    answer: data.optional(),
    stop: z.enum(["end_turn", "max_tokens", "refusal"]).optional(),
    fault: Fault.optional(),
    tokens: Tokens.optional(),
    /** Silence before the first byte. */
    delay_ms: count.optional(),
    /** How many requests in a row get this turn. */
    times: z.int().min(1).max(10_000).optional(),
  })
  .refine(
    (turn) => !lacks(turn, "say", "use", "answer", "stop", "fault"),
    "say what the model does: one of say, use, answer, stop or fault",
  )
  .refine(
    (turn) => lacks(turn, "fault") || lacks(turn, "say", "use", "answer", "stop", "tokens"),
    "a fault stands alone: no say, use, answer, stop or tokens beside it",
  );
export type Turn = z.infer<typeof Turn>;

/** One conversation, from a fresh context to its end. */
export const Scene = z.strictObject({
  /** The role or step that asks; any when absent. */
  who: text.optional(),
  /** Words that the opening request must hold. */
  when: text.optional(),
  turns: z.array(Turn).min(1),
  /** Plays again whenever no unplayed scene fits. */
  repeat: z.boolean().optional(),
});
export type Scene = z.infer<typeof Scene>;

/** What a scripted model does, in the order it does it. */
export const Story = z.strictObject({
  title: text.optional(),
  scenes: z.array(Scene).min(1),
  /** Requests after which the model refuses to go on: a loop that never ends must not run for ever. */
  request_cap: z.int().min(1).optional(),
});
export type Story = z.infer<typeof Story>;

const GROUPS = { scenes: Scene, turns: Turn, fault: Fault, use: ToolUse, tokens: Tokens };

/** The keys that may stand at a path of a story. */
export function keysIn(path: readonly PropertyKey[]): string[] {
  const group = path.findLast((step) => typeof step === "string");
  return Object.keys((GROUPS[group as keyof typeof GROUPS] ?? Story).shape);
}

function lacks<T extends object>(data: T, ...keys: (keyof T)[]): boolean {
  return keys.every((key) => data[key] === undefined);
}
