import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentFailure, Assignment } from "../../../model/agent.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { type Notice, notice } from "../../../model/notices.ts";
import type { Agent } from "../../ports/agent.ts";
import { watchLimits } from "../../processes/limits.ts";
import { resultFailure } from "../claude/failures.ts";
import { concludeReply, isSignOfLife } from "../claude/reply.ts";
import { ClaudeStream } from "../claude/stream.ts";
import { cutFailure } from "../failures.ts";
import { Queue } from "../queue.ts";
import { Conversation, type ScriptedAgentOptions } from "./conversation.ts";
import { Stage } from "./model/stage.ts";

/**
 * Plays a story in this process and really runs its tools. It writes Claude Code's messages, and the same code reads them, so that
 * events, failures and raw logs equal those of the real one.
 */
export function createScriptedAgent(options: ScriptedAgentOptions): Agent {
  const stage = new Stage(options.story);
  let isAnnounced = false;
  return {
    async *work(assignment, signal) {
      const started = performance.now();
      const news = isAnnounced ? [] : [notice("scripted_agent", { story: options.file })];
      isAnnounced = true;
      const stream = new ClaudeStream({ role: assignment.role, isJoint: false, known: new Set() });
      const failure = yield* follow(stream, { options, stage, assignment, signal, news });
      return yield* concludeReply({ stream, failure, started }, assignment, options);
    },
  };
}

interface Answering {
  options: ScriptedAgentOptions;
  stage: Stage;
  assignment: Assignment;
  signal: AbortSignal;
  /** Given as the answer begins. */
  news: readonly Notice[];
}

/** The conversation runs by itself, like another process; this only reads it. */
async function* follow(
  stream: ClaudeStream,
  { options, stage, assignment, signal, news }: Answering,
): AsyncGenerator<AgentEvent, AgentFailure | undefined> {
  const { raw_log } = options;
  const { iteration, role } = assignment;
  const ending = new AbortController();
  const limits = watchLimits({ ...options, signal }, () => ending.abort());
  if (signal.aborted) return cutFailure("aborted", options);
  const messages = new Queue<SDKMessage>();
  const conversation = new Conversation({ options, stage, assignment, signal: ending.signal });
  let thrown: unknown;
  const over = conversation
    .play({ tell: (one) => messages.push(one), refuse: (denial) => stream.refuse(denial) })
    .catch((error: unknown) => {
      thrown = error;
    })
    .finally(() => messages.close());
  try {
    for (const one of news) yield { type: "notice", notice: one };
    for await (const message of messages.read()) {
      if (isSignOfLife(message)) limits.alive(conversation.isToolRunning ? null : options.silence_seconds);
      await raw_log?.(iteration, role, JSON.stringify(message));
      yield* stream.read(message);
    }
    if (thrown) throw thrown;
    if (limits.reason) return cutFailure(limits.reason, options);
    return stream.result && resultFailure(stream.result, stream.troubles);
  } finally {
    limits.stop();
    ending.abort();
    await over;
  }
}
