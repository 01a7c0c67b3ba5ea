import { randomUUID } from "node:crypto";
import { type MessagesRequest, names } from "./request.ts";
import type { Cue } from "./stage.ts";
import type { Turn } from "./story.ts";

export type Block =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

interface ReplyUsage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
}

export interface Reply {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: Block[];
  stop_reason: string;
  stop_sequence: null;
  usage: ReplyUsage;
}

/** A turn as the Messages API words it. */
export function reply({ turn, callId }: Pick<Cue, "turn" | "callId">, request: MessagesRequest): Reply {
  const content = [...spoken(turn), ...used(turn), ...answered(turn, request)].map((block, index) =>
    block.type === "tool_use" ? { ...block, id: `${callId}_${index}` } : block,
  );
  const calls = content.some((block) => block.type === "tool_use");
  return {
    id: `msg_${randomUUID().replaceAll("-", "")}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: turn.stop ?? (calls ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: usage(turn),
  };
}

function spoken(turn: Turn): Block[] {
  return turn.say === undefined ? [] : [{ type: "text", text: turn.say }];
}

function used(turn: Turn): Block[] {
  return (turn.use ?? []).map(({ tool, input }) => ({ type: "tool_use", id: "", name: tool, input }));
}

function answered({ answer }: Turn, request: MessagesRequest): Block[] {
  if (answer === undefined) return [];
  const tool = answerTool(request);
  if (tool === undefined) return [{ type: "text", text: JSON.stringify(answer) }];
  return [{ type: "tool_use", id: "", name: tool, input: inItsRole(answer, tool, request) }];
}

/** A process that serves several roles answers under the name of the role that was asked. */
function inItsRole(answer: Record<string, unknown>, tool: string, request: MessagesRequest): Record<string, unknown> {
  const [who = ""] = names(request);
  const { properties = {} } = request.tools?.find(({ name }) => name === tool)?.input_schema ?? {};
  return Object.hasOwn(properties, who) ? { [who]: answer } : answer;
}

/** Claude Code offers a tool, newer models a format, older ones a forced tool; a request for none of them gets text. */
function answerTool(request: MessagesRequest): string | undefined {
  if (request.output_config?.format?.type === "json_schema") return undefined;
  const tools = (request.tools ?? []).map((tool) => tool.name);
  if (tools.includes("StructuredOutput")) return "StructuredOutput";
  const forced = request.tool_choice?.type === "any" || request.tool_choice?.name === "json";
  return forced && tools.includes("json") ? "json" : undefined;
}

function usage({ tokens }: Turn): ReplyUsage {
  return {
    input_tokens: tokens?.input ?? 100,
    output_tokens: tokens?.output ?? 20,
    cache_creation_input_tokens: tokens?.cache_creation ?? 0,
    cache_read_input_tokens: tokens?.cache_read ?? 0,
  };
}
