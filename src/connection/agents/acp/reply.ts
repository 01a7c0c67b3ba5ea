import type { AgentFailure, AgentReply, Assignment } from "../../../model/agent.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { message } from "../../../model/message.ts";
import type { UnknownAmount } from "../../../model/usage.ts";
import { answersIn, findJson } from "../find-json.ts";
import type { AnswerStream } from "./answer-stream.ts";
import type { AcpAgentOptions } from "./options.ts";

/** What is known of an answer that is over. */
interface Answered {
  stream: AnswerStream;
  failure: AgentFailure | undefined;
  /** By `performance.now()`. */
  started: number;
}

/** Reports what an answer has spent, and makes the reply of it. */
export function* replyOf(
  { stream, failure, started }: Answered,
  assignment: Assignment,
  options: AcpAgentOptions,
): Generator<AgentEvent, AgentReply> {
  const { role } = assignment;
  const { text, tools } = stream;
  const usage = { ...spentBy(stream, assignment, options), seconds: (performance.now() - started) / 1000 };
  yield { type: "usage", role, usage: { ...usage, cost_usd: Math.max(0, usage.cost_usd - stream.told_cost) } };
  const { structured, failure: unusable } = failure ? { failure } : structuredIn(text, assignment);
  return {
    text,
    ...(structured !== undefined && { structured }),
    ...(unusable && { failure: unusable }),
    usage,
    tools_used: tools.used(),
    files_modified: tools.filesModified(options),
    tool_results: tools.results(),
  };
}

/** What the agent has not said, or not all of it, is unknown, unless nothing was asked. An answer that is cut short has cost more than was said of it. */
function spentBy({ usage, is_asked, is_whole }: AnswerStream, { role, model }: Assignment, options: AcpAgentOptions) {
  const { tokens, cost_usd, is_priced } = usage.known(options.prices[model ?? options.models[role]]);
  const hasAllTokens = is_whole && tokens !== undefined && options.program.known?.reports_tokens !== false;
  const hasAllCost = is_whole && cost_usd !== undefined && (hasAllTokens || !is_priced);
  const unknown: UnknownAmount[] = [
    ...(hasAllTokens ? [] : (["tokens"] as const)),
    ...(hasAllCost ? [] : (["cost"] as const)),
  ];
  return { tokens: tokens ?? 0, cost_usd: cost_usd ?? 0, ...(is_asked && unknown.length > 0 && { unknown }) };
}

/** The structured answer that was asked for in words. A worker's text is an answer without one, too. */
function structuredIn(text: string, { role, schema }: Assignment): Pick<AgentReply, "structured" | "failure"> {
  if (!schema) return {};
  if (role === "executor") return { structured: findJson(text) };
  const answers = answersIn(text, schema);
  if (answers.length > 1) return { failure: { code: "malformed", message: message("several_answers", {}) } };
  const structured = answers[0] ?? findJson(text);
  return structured ? { structured } : { failure: { code: "malformed", message: message("no_json", {}) } };
}
