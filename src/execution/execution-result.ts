import type { AgentReply } from "../model/agent.ts";
import type { Phrases } from "../model/phrases.ts";
import { ExecutionResult, SemanticMetadata } from "../model/roles.ts";
import { type Words, worded, wordsIn } from "../model/statement.ts";
import { phrased, type Told, wordingsIn } from "../model/telling.ts";

/** What a reply amounts to, and the kind of error where it is one. */
export interface Execution extends Pick<Told, "wordings"> {
  result: ExecutionResult;
  error_type: string | null;
}

/**
 * Reads a reply as the executor's result. An agent that answers in plain text has still answered: its text is the output.
 * An agent that failed, or ended without a word, has not.
 */
export function executionOf(reply: AgentReply, phrases: Phrases): Execution {
  const { failure } = reply;
  if (failure) {
    const message = phrased(({ agentFailed }, say) => agentFailed(failure.code, say(failure.message)));
    return failed(reply, { error_type: failure.code, message }, phrases);
  }
  const structured = ExecutionResult.safeParse(reply.structured);
  if (structured.success) {
    const { data } = structured;
    return { result: data, error_type: data.status === "error" ? "reported" : null };
  }
  if (reply.text.trim() === "")
    return failed(reply, { error_type: "empty", message: phrased(({ emptyReply }) => emptyReply) }, phrases);
  return {
    result: { status: "success", output: reply.text, artifacts: [], semantic_metadata: metadataIn(reply) },
    error_type: null,
  };
}

function failed(
  { text }: AgentReply,
  { error_type, message }: { error_type: string; message: Words },
  { language }: Phrases,
): Execution {
  const output = [wordsIn(language, message), text.trim()].filter(Boolean).join("\n\n");
  const opening = worded((say) => firstLine(say(message)));
  return {
    result: { status: "error", output, artifacts: [], semantic_metadata: null },
    error_type,
    ...wordingsIn([message, opening]),
  };
}

/** What an output without a description of its own is called by. */
export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200).toWellFormed() ?? "";
}

/** FR-025: agents told so by `append_system_prompt` report their metadata as JSON at the end of their text. */
function metadataIn(reply: AgentReply): SemanticMetadata | null {
  const found = SemanticMetadata.safeParse(reply.structured);
  return found.success ? found.data : null;
}
