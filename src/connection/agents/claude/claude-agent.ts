import type { AgentFailure, AgentReply, Assignment } from "../../../model/agent.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { type CutReason, watchLimits } from "../../commands/limits.ts";
import type { Agent } from "../../ports.ts";
import { cutFailure } from "../cut-failure.ts";
import { findJson } from "../find-json.ts";
import { type Call, startCall } from "./call.ts";
import type { ClaudeAgentOptions } from "./configuration.ts";
import { processFailure, resultFailure } from "./failures.ts";
import { allowedSilence, isSignOfLife } from "./signs-of-life.ts";
import { ClaudeStream } from "./stream.ts";

/** Claude Code, a new one for every answer. */
export function createClaudeAgent(options: ClaudeAgentOptions): Agent {
  // What is wrong with a server stays wrong: once a task is enough.
  const known = new Set<string>();
  return {
    async *work(assignment, signal) {
      const started = performance.now();
      const stream = new ClaudeStream(assignment.role, known);
      const failure = yield* answer(options, assignment, { signal, stream });
      yield* stream.rest();
      const usage = { ...stream.spent(), seconds: (performance.now() - started) / 1000 };
      yield { type: "usage", role: assignment.role, usage: { ...usage, tokens: stream.untold() } };
      return { ...answerOf(stream, failure), usage, ...factsOf(stream, options) };
    },
  };
}

interface Circumstances {
  signal: AbortSignal;
  stream: ClaudeStream;
}

async function* answer(
  options: ClaudeAgentOptions,
  assignment: Assignment,
  circumstances: Circumstances,
): AsyncGenerator<AgentEvent, AgentFailure | undefined> {
  if (circumstances.signal.aborted) return cutFailure("aborted", options);
  const call = await startCall(options, assignment, (denial) => circumstances.stream.refuse(denial));
  if (call instanceof Error) return { code: "configuration", message: call.message };
  try {
    yield* circumstances.stream.leftOut(call.left_out);
    const cut = yield* follow(call, options, assignment, circumstances);
    return failureOf(call, cut, { options, stream: circumstances.stream });
  } finally {
    await call.close();
  }
}

/** Reads to the end, and sees to it that there is one. Returns the limit that was hit, if one was. */
async function* follow(
  call: Call,
  options: ClaudeAgentOptions,
  { role, iteration }: Assignment,
  { signal, stream }: Circumstances,
): AsyncGenerator<AgentEvent, CutReason | undefined> {
  const limits = watchLimits({ ...options, signal }, () => {
    stream.close();
    call.claude.interrupt();
  });
  try {
    for await (const message of call.messages()) {
      if (isSignOfLife(message)) limits.alive(allowedSilence(options.silence_seconds, stream.tools.running));
      // The pieces of messages that follow whole are left out.
      if (message.type !== "stream_event") await options.raw_log?.(iteration, role, JSON.stringify(message));
      yield* stream.read(message);
      if (!stream.over) continue;
      limits.stop();
      stream.close();
      if (stream.unauthorised) call.claude.interrupt();
      else call.claude.dismiss();
    }
    return limits.reason;
  } finally {
    limits.stop();
  }
}

function failureOf(
  call: Call,
  cut: CutReason | undefined,
  { options, stream }: { options: ClaudeAgentOptions; stream: ClaudeStream },
): AgentFailure | undefined {
  if (stream.unauthorised) return { code: "authentication", message: "the API key or login was refused (401)" };
  if (stream.result) return resultFailure(stream.result, stream.troubles);
  if (cut) return cutFailure(cut, options);
  const thrown = call.thrown instanceof Error ? call.thrown.message : "";
  return processFailure(call.claude.exit, { begun: stream.begun, said: call.claude.stderr || thrown });
}

/** A model that ignored the schema may still have written its answer down. */
function answerOf(
  stream: ClaudeStream,
  failure: AgentFailure | undefined,
): Pick<AgentReply, "text" | "structured" | "failure"> {
  const structured = stream.structured ?? (failure ? undefined : findJson(stream.text));
  return { text: stream.text, ...(structured !== undefined && { structured }), ...(failure && { failure }) };
}

function factsOf(
  { tools }: ClaudeStream,
  options: ClaudeAgentOptions,
): Pick<AgentReply, "tools_used" | "files_modified"> {
  return { tools_used: tools.used(), files_modified: tools.filesModified(options) };
}
