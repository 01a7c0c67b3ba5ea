import type { AgentReply } from "../../model/agent.ts";
import { type Message, message } from "../../model/message.ts";
import { ExecutionResult, SemanticMetadata } from "../../model/roles.ts";

export interface Execution {
  result: ExecutionResult;
  error_type: string | null;
  /** Why there is no usable answer; `result.output` then holds only what the worker said before. */
  failure?: Message;
}

/**
 * Reads a reply as the executor's result. Plain text counts as an answer: it is the output. A failure or an empty text does
 * not.
 */
export function executionOf(reply: AgentReply): Execution {
  const { failure } = reply;
  if (failure) {
    const { code, message: problem } = failure;
    return failed(reply, code, message("agent_failed", { code, problem }));
  }
  const structured = ExecutionResult.safeParse(reply.structured);
  if (structured.success) {
    const { data } = structured;
    return { result: data, error_type: data.status === "error" ? "reported" : null };
  }
  if (reply.text.trim() === "") return failed(reply, "empty", message("agent_said_nothing", {}));
  return {
    result: { status: "success", output: reply.text, artifacts: [], semantic_metadata: metadataIn(reply) },
    error_type: null,
  };
}

function failed({ text }: AgentReply, error_type: string, failure: Message): Execution {
  const result: ExecutionResult = { status: "error", output: text.trim(), artifacts: [], semantic_metadata: null };
  return { result, error_type, failure };
}

/** Stands in for a missing description. */
export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200).toWellFormed() ?? "";
}

/** FR-025: `append_system_prompt` may tell agents to report metadata as JSON at the end of their text. */
function metadataIn(reply: AgentReply): SemanticMetadata | null {
  const found = SemanticMetadata.safeParse(reply.structured);
  return found.success ? found.data : null;
}
