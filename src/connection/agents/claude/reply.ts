import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentFailure, AgentReply, Assignment } from "../../../model/agent.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { answersIn, findJson } from "../find-json.ts";
import type { ClaudeStream } from "./stream.ts";

/** A running tool reports every 30 s. */
const TOOL_SILENCE_SECONDS = 45;

/** Retries do not count as activity; messages of the model and of tools do. */
export function isSignOfLife(message: SDKMessage): boolean {
  return !(message.type === "system" && (message.subtype === "api_retry" || message.subtype === "status"));
}

export function allowedSilence(seconds: number | null, toolRunning: boolean): number | null {
  return seconds !== null && toolRunning ? Math.max(seconds, TOOL_SILENCE_SECONDS) : seconds;
}

/** What the stream knows of an answer that is over. */
interface Answered {
  stream: ClaudeStream;
  failure: AgentFailure | undefined;
  /** By `performance.now()`. */
  started: number;
}

/** Reports the rest of an answer, and makes the reply of it. */
export function* concludeReply(
  { stream, failure, started }: Answered,
  assignment: Assignment,
  options: { project: string; working_directory: string },
): Generator<AgentEvent, AgentReply> {
  const { text, tools } = stream;
  yield* stream.rest();
  const usage = { ...stream.spent(), seconds: (performance.now() - started) / 1000 };
  yield { type: "usage", role: assignment.role, usage: { ...usage, tokens: stream.untold() } };
  const structured = stream.structured ?? (failure ? undefined : written(stream, assignment));
  return {
    text,
    ...(structured !== undefined && { structured }),
    ...(failure && { failure }),
    usage,
    tools_used: tools.used(),
    files_modified: tools.filesModified(options),
    tool_results: tools.results(),
  };
}

/** A model that ignored the schema may have written its answer as text. */
function written(stream: ClaudeStream, { role, schema }: Assignment): unknown {
  const last = stream.own(findJson(stream.text));
  if (role === "executor") return last;
  const answers = answersIn(stream.text, schema, (object) => stream.own(object));
  return answers.length > 1 ? undefined : (answers[0] ?? last);
}
