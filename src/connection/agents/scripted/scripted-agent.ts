import type { AgentFailure, AgentReply, Assignment } from "../../../model/agent.ts";
import type { Environment } from "../../../model/environment.ts";
import type { AgentEvent } from "../../../model/events.ts";
import type { Statement } from "../../../model/message.ts";
import { type Notice, notice } from "../../../model/notices.ts";
import type { Role } from "../../../model/roles.ts";
import { watchLimits } from "../../commands/limits.ts";
import { Stage } from "../../models/scripted/stage.ts";
import type { Story } from "../../models/scripted/story.ts";
import type { Agent } from "../../ports/agent.ts";
import { resultFailure } from "../claude/failures.ts";
import { contentOf, factsOf } from "../claude/reply.ts";
import { isSignOfLife } from "../claude/signs-of-life.ts";
import { ClaudeStream } from "../claude/stream.ts";
import { cutFailure } from "../cut-failure.ts";
import type { RawLog } from "../raw-log.ts";
import { Conversation } from "./conversation.ts";
import { MessageQueue } from "./messages.ts";

export interface ScriptedAgentOptions {
  story: Story;
  /** The story's file, for people. */
  file: string;
  project: string;
  working_directory: string;
  environment: Environment;
  task_token: string;
  models: Readonly<Record<Role, string>>;
  allowed_tools: readonly string[];
  permission_mode: string;
  timeout_seconds: number | null;
  silence_seconds: number | null;
  raw_log?: RawLog | undefined;
  /** Says a statement to the model, in English. */
  tell: (statement: Statement) => string;
}

/**
 * Plays a story in this process and really runs its tools: Claude Code without Claude Code. What happens is told in Claude Code's
 * own messages and read by the same code, so that events, failures and raw logs are those of the real one.
 */
export function createScriptedAgent(options: ScriptedAgentOptions): Agent {
  const stage = new Stage(options.story);
  let isAnnounced = false;
  return {
    async *work(assignment, signal) {
      const started = performance.now();
      const { role } = assignment;
      const news = isAnnounced ? [] : [notice("scripted_agent", { story: options.file })];
      isAnnounced = true;
      const stream = new ClaudeStream({ role, isJoint: false, known: new Set() });
      const failure = yield* follow(stream, { options, stage, assignment, signal, news });
      yield* stream.rest();
      const usage = { ...stream.spent(), seconds: (performance.now() - started) / 1000 };
      yield { type: "usage", role, usage: { ...usage, tokens: stream.untold() } };
      return { ...contentOf(stream, failure, assignment), usage, ...factsOf(stream, options) } satisfies AgentReply;
    },
  };
}

interface Answering {
  options: ScriptedAgentOptions;
  stage: Stage;
  assignment: Assignment;
  signal: AbortSignal;
  /** Told as the answer begins. */
  news: readonly Notice[];
}

/** The conversation goes on by itself, as another process would; reading it is all that its reader does. */
async function* follow(
  stream: ClaudeStream,
  { options, stage, assignment, signal, news }: Answering,
): AsyncGenerator<AgentEvent, AgentFailure | undefined> {
  const { raw_log } = options;
  const { iteration, role } = assignment;
  const ending = new AbortController();
  const limits = watchLimits({ ...options, signal }, () => ending.abort());
  if (signal.aborted) return cutFailure("aborted", options);
  const messages = new MessageQueue();
  const conversation = new Conversation({ options, stage, assignment, signal: ending.signal });
  let thrown: unknown;
  const over = conversation
    .play({ tell: (one) => messages.push(one), refuse: (denial) => stream.refuse(denial) })
    .catch((error: unknown) => {
      thrown = error;
    })
    .finally(() => messages.end());
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
