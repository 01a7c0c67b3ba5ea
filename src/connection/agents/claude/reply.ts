import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentFailure, AgentReply, Assignment, ReplyContent } from "../../../model/agent.ts";
import { answersIn, findJson } from "../find-json.ts";
import type { ClaudeStream } from "./stream.ts";

/** A tool at work shows itself every 30 s only. */
const TOOL_SILENCE_SECONDS = 45;

/** Trying to reach a model is no life; what comes from it, or from a tool, is. */
export function isSignOfLife(message: SDKMessage): boolean {
  return !(message.type === "system" && (message.subtype === "api_retry" || message.subtype === "status"));
}

export function allowedSilence(seconds: number | null, toolRunning: boolean): number | null {
  return seconds !== null && toolRunning ? Math.max(seconds, TOOL_SILENCE_SECONDS) : seconds;
}

export function contentOf(
  stream: ClaudeStream,
  failure: AgentFailure | undefined,
  assignment: Assignment,
): ReplyContent {
  const structured = stream.structured ?? (failure ? undefined : written(stream, assignment));
  return { text: stream.text, ...(structured !== undefined && { structured }), ...(failure && { failure }) };
}

/** A model that ignored the schema may still have written its answer down. */
function written(stream: ClaudeStream, { role, schema }: Assignment): unknown {
  const last = stream.own(findJson(stream.text));
  if (role === "executor") return last;
  const answers = answersIn(stream.text, schema, (object) => stream.own(object));
  return answers.length > 1 ? undefined : (answers[0] ?? last);
}

export function factsOf(
  { tools }: ClaudeStream,
  options: { project: string; working_directory: string },
): Pick<AgentReply, "tools_used" | "files_modified"> {
  return { tools_used: tools.used(), files_modified: tools.filesModified(options) };
}
