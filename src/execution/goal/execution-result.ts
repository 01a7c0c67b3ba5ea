import { z } from "zod";
import type { AgentReply } from "../../model/agent.ts";
import { jsonObjectsIn } from "../../model/json.ts";
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
  const { failure, text } = reply;
  if (failure) {
    const { code, message: problem } = failure;
    return failed(reply, code, message("agent_failed", { code, problem }));
  }
  const structured = ExecutionResult.safeParse(reply.structured);
  if (structured.success) {
    const { status, output, semantic_metadata: own } = structured.data;
    const semantic_metadata = metadataIn([...saidIn(reply), output], own);
    return { result: { ...structured.data, semantic_metadata }, error_type: status === "error" ? "reported" : null };
  }
  if (text.trim() === "") return failed(reply, "empty", message("agent_said_nothing", {}));
  const own = SemanticMetadata.safeParse(reply.structured).data ?? null;
  const semantic_metadata = metadataIn(saidIn(reply), own);
  return { result: { status: "success", output: text, artifacts: [], semantic_metadata }, error_type: null };
}

function failed(reply: AgentReply, error_type: string, failure: Message): Execution {
  const semantic_metadata = metadataIn(saidIn(reply), null);
  return {
    result: { status: "error", output: reply.text.trim(), artifacts: [], semantic_metadata },
    error_type,
    failure,
  };
}

function saidIn({ said = "", text }: AgentReply): string[] {
  return [said, text];
}

/** Stands in for a missing description. */
export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200).toWellFormed() ?? "";
}

/**
 * FR-025: `append_system_prompt` may tell agents to report metadata as JSON in their text, once or after each piece of work. The
 * structured answer's approach wins, else the last one; tags and discoveries are united.
 */
function metadataIn(words: readonly string[], own: SemanticMetadata | null): SemanticMetadata | null {
  const written = words.flatMap((text) => [...jsonObjectsIn(text)]).map((one) => Report.parse(one));
  const reports = [...(own ? [own] : []), ...written].filter(isTelling);
  if (reports.length === 0) return own;
  const approaches = written.map(({ approach }) => approach).filter(Boolean);
  return {
    approach: own?.approach || approaches.at(-1) || "",
    strategy_tags: united(reports.map(({ strategy_tags }) => strategy_tags)),
    discoveries: united(reports.map(({ discoveries }) => discoveries)),
  };
}

const texts = z.array(z.string()).catch([]);
const Report = z.object({ approach: z.string().catch(""), strategy_tags: texts, discoveries: texts });

function isTelling({ approach, strategy_tags, discoveries }: SemanticMetadata): boolean {
  return approach !== "" || strategy_tags.length > 0 || discoveries.length > 0;
}

function united(lists: readonly string[][]): string[] {
  return [...new Set(lists.flat().filter((text) => text.trim() !== ""))];
}
