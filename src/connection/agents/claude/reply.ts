import type { AgentFailure, AgentReply, Assignment, ReplyContent } from "../../../model/agent.ts";
import { answersIn, findJson } from "../find-json.ts";
import type { ClaudeStream } from "./stream.ts";

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
