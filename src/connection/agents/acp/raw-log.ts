import type { AgentReply, Assignment } from "../../../model/agent.ts";
import type { AgentEvent } from "../../../model/events.ts";
import type { AnswerStream } from "./answer-stream.ts";
import type { AcpAgentOptions } from "./options.ts";

type Logged = Pick<AcpAgentOptions, "raw_log">;

/** Beside the protocol's messages, which come in pieces, the raw log has what they say as `e8 logs` reads it. */
export async function logEvent(event: AgentEvent, { raw_log }: Logged, assignment: Assignment): Promise<void> {
  const block =
    event.type === "text"
      ? { type: "text", text: event.text }
      : event.type === "tool-call" && { type: "tool_use", name: event.tool, input: { command: event.detail } };
  if (!block) return;
  const message = { type: "assistant", message: { role: "assistant", content: [block] } };
  await raw_log?.(assignment.iteration, assignment.role, JSON.stringify(message));
}

export async function logReply(
  { text, failure, usage }: AgentReply,
  { tokens }: AnswerStream["usage"],
  { options, assignment }: { options: Pick<AcpAgentOptions, "raw_log" | "tell">; assignment: Assignment },
): Promise<void> {
  const result = {
    type: "result",
    subtype: failure?.code ?? "success",
    is_error: failure !== undefined,
    ...(failure ? { errors: [options.tell(failure.message)], problem: failure.message } : { result: text }),
    num_turns: 1,
    duration_ms: Math.round(usage.seconds * 1000),
    total_cost_usd: usage.cost_usd,
    ...(tokens && {
      usage: {
        input_tokens: tokens.input,
        cache_creation_input_tokens: tokens.cache_write,
        cache_read_input_tokens: tokens.cache_read,
        output_tokens: tokens.output,
      },
    }),
  };
  await options.raw_log?.(assignment.iteration, assignment.role, JSON.stringify(result));
}
