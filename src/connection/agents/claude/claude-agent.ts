import type { AgentFailure, Assignment } from "../../../model/agent.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { message as told } from "../../../model/message.ts";
import type { Agent } from "../../ports/agent.ts";
import { type CutReason, type Limits, watchLimits } from "../../processes/limits.ts";
import { cutFailure } from "../cut-failure.ts";
import { processFailure, resultFailure } from "./failures.ts";
import { allowedSilence, contentOf, factsOf, isSignOfLife } from "./reply.ts";
import type { Session } from "./session.ts";
import type { ClaudeAgentOptions } from "./settings.ts";
import { ClaudeStream } from "./stream.ts";
import { type Ready, WarmSessions } from "./warm-sessions.ts";

/** Claude Code, with a fresh context for every answer. */
export function createClaudeAgent(options: ClaudeAgentOptions): Agent {
  const sessions = new WarmSessions(options);
  // What is wrong with a server stays wrong: once a task is enough.
  const known = new Set<string>();
  return {
    async *work(assignment, signal) {
      const started = performance.now();
      const { stream, failure } = yield* answer(assignment, { options, sessions, signal, known });
      yield* stream.rest();
      const usage = { ...stream.spent(), seconds: (performance.now() - started) / 1000 };
      yield { type: "usage", role: assignment.role, usage: { ...usage, tokens: stream.untold() } };
      return { ...contentOf(stream, failure, assignment), usage, ...factsOf(stream, options) };
    },
    prepare: (expected) => sessions.prepare(expected),
    close: () => sessions.close(),
  };
}

/** What every answer of the agent is given with. */
interface AnswerContext {
  options: ClaudeAgentOptions;
  sessions: WarmSessions;
  signal: AbortSignal;
  known: Set<string>;
}

interface Outcome {
  stream: ClaudeStream;
  failure: AgentFailure | undefined;
}

/** A process that was started earlier may have died, or its login may have expired: then a new one is asked once more. */
async function* answer(assignment: Assignment, context: AnswerContext): AsyncGenerator<AgentEvent, Outcome> {
  const { sessions, signal } = context;
  const ready = signal.aborted ? undefined : await sessions.take(assignment, signal);
  const outcome = yield* answerFrom(ready, assignment, context);
  if (!(ready && "session" in ready) || ready.isNew || !isOutlived(outcome) || signal.aborted) return outcome;
  return yield* answerFrom(await sessions.take(assignment, signal), assignment, context);
}

/** It died while it was waiting, or its login has expired in the meantime. Neither has cost anything. */
function isOutlived({ failure, stream }: Outcome): boolean {
  const isOfAge = failure?.code === "authentication" || (failure?.code === "crashed" && !stream.begun);
  return isOfAge && stream.spent().tokens === 0;
}

async function* answerFrom(
  ready: Ready | AgentFailure | undefined,
  assignment: Assignment,
  { options, sessions, signal, known }: AnswerContext,
): AsyncGenerator<AgentEvent, Outcome> {
  const { role } = assignment;
  const isJoint = ready !== undefined && "session" in ready && ready.session.isJoint;
  const stream = new ClaudeStream({ role, isJoint, known });
  if (!ready || !("session" in ready))
    return { stream, failure: ready && !signal.aborted ? ready : cutFailure("aborted", options) };
  const { session, isNew } = ready;
  let isGood = false;
  try {
    yield* stream.leftOut(session.left_out);
    const cut = yield* follow(session, { options, assignment, stream, signal, isNew });
    const failure = failureOf(session, cut, { options, stream, isNew });
    isGood = stream.structured !== undefined && !failure && !cut && !stream.hasBackgroundWork;
    return { stream, failure };
  } finally {
    await sessions.finish(assignment, ready, isGood);
  }
}

/** One assignment, put to one session. */
interface Conversation {
  options: ClaudeAgentOptions;
  assignment: Assignment;
  stream: ClaudeStream;
  signal: AbortSignal;
  isNew: boolean;
}

/** Asks, reads to the end, and sees to it that there is one. Returns the limit that was hit, if one was. */
async function* follow(
  session: Session,
  { options, assignment, stream, signal, isNew }: Conversation,
): AsyncGenerator<AgentEvent, CutReason | undefined> {
  const limits = watchLimits({ ...options, signal }, () => {
    stream.close();
    session.claude.interrupt();
  });
  try {
    const isFresh = isNew || (session.prompts === 0 && readsNothing(assignment));
    if (!isFresh && !(await session.refresh())) return limits.reason;
    const { forbids } = assignment;
    session.tell(assignment, forbids && { forbids, denied: (denial) => stream.refuse(denial) });
    yield* read(session, { options, assignment, stream, limits });
    return limits.reason;
  } finally {
    limits.stop();
  }
}

/** A role knows its prompt and nothing of the project: until it is asked, it stays as it was started. */
function readsNothing({ role }: Assignment): boolean {
  return role !== "executor";
}

async function* read(
  session: Session,
  { options, assignment, stream, limits }: Pick<Conversation, "options" | "assignment" | "stream"> & { limits: Limits },
): AsyncGenerator<AgentEvent, void> {
  const { role, iteration } = assignment;
  for await (const message of session.messages()) {
    if (isSignOfLife(message)) limits.alive(allowedSilence(options.silence_seconds, stream.tools.running));
    // The pieces of messages that follow whole are left out.
    if (message.type !== "stream_event") await options.raw_log?.(iteration, role, JSON.stringify(message));
    yield* stream.read(message);
    if (!stream.over) {
      if (message.type === "result") session.conclude();
      continue;
    }
    limits.stop();
    stream.close();
    if (!stream.unauthorised) return;
    session.claude.interrupt();
  }
}

function failureOf(
  { claude, thrown }: Session,
  cut: CutReason | undefined,
  { options, stream, isNew }: Pick<Conversation, "options" | "stream" | "isNew">,
): AgentFailure | undefined {
  if (stream.unauthorised) return { code: "authentication", message: told("login_refused", {}) };
  if (stream.result) return resultFailure(stream.result, stream.troubles);
  if (cut) return cutFailure(cut, options);
  const said = claude.stderr || (thrown instanceof Error && !claude.exit ? thrown.message : "");
  return processFailure(claude.exit, { begun: stream.begun || !isNew, said });
}
