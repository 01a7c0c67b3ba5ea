import type { AgentReply } from "../model/agent.ts";
import type { Phrases } from "../model/phrases.ts";
import { ExecutionResult, SemanticMetadata } from "../model/roles.ts";

/** What a reply amounts to, and the kind of error where it is one. */
export interface Execution {
  result: ExecutionResult;
  error_type: string | null;
}

/**
 * Reads a reply as the executor's result. An agent that answers in plain text has still answered: its text is the output.
 * One that failed, or ended without a word, has not.
 */
export function executionOf(reply: AgentReply, phrases: Phrases): Execution {
  const { failure } = reply;
  if (failure) return failed(reply, failure.code, phrases.agentFailed(failure.code, failure.message));
  const structured = ExecutionResult.safeParse(reply.structured);
  if (structured.success) {
    const { data } = structured;
    return { result: data, error_type: data.status === "error" ? "reported" : null };
  }
  if (reply.text.trim() === "") return failed(reply, "empty", phrases.emptyReply);
  return {
    result: { status: "success", output: reply.text, artifacts: [], semantic_metadata: metadataIn(reply) },
    error_type: null,
  };
}

function failed(reply: AgentReply, error_type: string, message: string): Execution {
  const output = [message, reply.text.trim()].filter(Boolean).join("\n\n");
  return { result: { status: "error", output, artifacts: [], semantic_metadata: null }, error_type };
}

/** FR-025: agents told so by `append_system_prompt` report their metadata as JSON at the end of their text. */
function metadataIn(reply: AgentReply): SemanticMetadata | null {
  const found = SemanticMetadata.safeParse(reply.structured);
  return found.success ? found.data : null;
}
