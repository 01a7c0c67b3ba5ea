import type { AgentFailure, Assignment } from "../../../model/agent.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { message as told } from "../../../model/message.ts";
import type { Agent } from "../../ports/agent.ts";
import { type CutReason, type Limits, watchLimits } from "../../processes/limits.ts";
import { cutFailure } from "../failures.ts";
import { processFailure, resultFailure } from "./failures.ts";
import { allowedSilence, concludeReply, isSignOfLife } from "./reply.ts";
import type { Session } from "./session.ts";
import type { ClaudeAgentOptions } from "./settings.ts";
import { ClaudeStream } from "./stream.ts";
import { type Ready, WarmSessions } from "./warm-sessions.ts";

/** Claude Code, with a fresh context for every answer. */
export function createClaudeAgent(options: ClaudeAgentOptions): Agent {
  const sessions = new WarmSessions(options);
  // Each notice about a server is given once a task.
  const known = new Set<string>();
  return {
    async *work(assignment, signal) {
      const started = performance.now();
      const outcome = yield* answer(assignment, { options, sessions, signal, known });
      return yield* concludeReply({ ...outcome, started }, assignment, options);
    },
    prepare: (expected) => sessions.prepare(expected),
    rest: (role) => sessions.rest(role),
    close: () => sessions.close(),
  };
}

/** What all answers of the agent share. */
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

/** A process that was started earlier may have died, or its login may have expired: then a new one is asked. */
async function* answer(assignment: Assignment, context: AnswerContext): AsyncGenerator<AgentEvent, Outcome> {
  const { sessions, signal } = context;
  const ready = signal.aborted ? undefined : await sessions.take(assignment, signal);
  const outcome = yield* answerFrom(ready, assignment, context);
  if (!(ready && "session" in ready) || ready.isNew || !isOutlived(outcome) || signal.aborted) return outcome;
  return yield* answerFrom(await sessions.take(assignment, signal), assignment, context);
}

/** The process died while it was waiting, or its login has expired meanwhile. Neither has cost anything. */
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
  const stream = new ClaudeStream({ role, isJoint, known, pricing: options });
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

/** One assignment given to one session. */
interface Conversation {
  options: ClaudeAgentOptions;
  assignment: Assignment;
  stream: ClaudeStream;
  signal: AbortSignal;
  isNew: boolean;
}

/** Asks, and reads to the end or to a limit. Returns the limit that was hit. */
async function* follow(
  session: Session,
  { options, assignment, stream, signal, isNew }: Conversation,
): AsyncGenerator<AgentEvent, CutReason | undefined> {
  const limits = watchLimits({ ...options, signal }, () => {
    stream.close();
    session.claude.interrupt();
  });
  try {
    // A role reads nothing of the project, so an unused process is as good as new.
    const isFresh = isNew || session.isStarting || (session.prompts === 0 && assignment.role !== "executor");
    if (!isFresh && !(await session.refresh())) return limits.reason;
    const { forbids } = assignment;
    session.tell(assignment, { forbids, denied: (denial) => stream.refuse(denial) });
    yield* read(session, { options, assignment, stream, limits });
    return limits.reason;
  } finally {
    limits.stop();
  }
}

async function* read(
  session: Session,
  { options, assignment, stream, limits }: Pick<Conversation, "options" | "assignment" | "stream"> & { limits: Limits },
): AsyncGenerator<AgentEvent, void> {
  const { role, iteration } = assignment;
  for await (const message of session.messages()) {
    if (isSignOfLife(message)) limits.alive(allowedSilence(options.silence_seconds, stream.tools.running));
    // Partial messages are left out: the whole ones follow.
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
