import type { PromptResponse } from "@agentclientprotocol/sdk";
import type { AgentFailure, Assignment } from "../../../model/agent.ts";
import { E8Error } from "../../../model/errors.ts";
import type { AgentEvent } from "../../../model/events.ts";
import { message, type Statement } from "../../../model/message.ts";
import type { Agent, Expectation } from "../../ports/agent.ts";
import { type Limits, watchLimits } from "../../processes/limits.ts";
import { directoryProblem } from "../../processes/programs.ts";
import { cutFailure } from "../failures.ts";
import { Queue } from "../queue.ts";
import { AnswerStream } from "./answer-stream.ts";
import { converse } from "./conversation.ts";
import { saidFailure, thrownFailure, toldFailure } from "./failures.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { AcpProcess } from "./process.ts";
import { AcpProcesses } from "./processes.ts";
import { logEvent, logReply } from "./raw-log.ts";
import { readerOf } from "./reader.ts";
import { replyOf } from "./reply.ts";

/** Any agent that speaks the Agent Client Protocol, with a session of its own for every answer. */
export function createAcpAgent(options: AcpAgentOptions): Agent {
  const inside = new AcpProcesses(options);
  // A worker's space hides clean checkouts: who reads in one must see it.
  const outside = options.space ? new AcpProcesses({ ...options, space: undefined }) : inside;
  const processesFor = ({ role, reads }: Expectation) =>
    role !== "executor" && reads !== undefined ? outside : inside;
  return {
    async *work(assignment, signal) {
      const started = performance.now();
      const events = new Queue<AgentEvent>();
      const ending = new AbortController();
      const limits = watchLimits({ ...options, signal }, () => ending.abort());
      const stop = (failure: AgentFailure) => ending.abort(failure);
      const { role, schema } = assignment;
      const stream = new AnswerStream({ role, hides_json: schema !== undefined }, (event) => events.push(event));
      const processes = processesFor(assignment);
      const answering = { options, assignment, processes, stream, events, limits, ending: ending.signal, stop };
      const over = answer(answering).finally(() => events.close());
      try {
        for await (const event of events.read()) {
          await logEvent(event, options, assignment);
          yield event;
        }
        const failure = await over;
        const reply = yield* replyOf({ stream, failure, started }, assignment, options);
        await logReply(reply, stream.usage, { options, assignment });
        return reply;
      } finally {
        limits.stop();
        ending.abort();
        await over;
      }
    },
    prepare: (expected) => processesFor(expected).prepare(expected),
    close: async () => void (await Promise.all([inside.close(), outside.close()])),
  };
}

export interface Answering {
  options: AcpAgentOptions;
  assignment: Assignment;
  processes: AcpProcesses;
  stream: AnswerStream;
  events: Queue<AgentEvent>;
  limits: Limits;
  /** Aborts when the answer is to end early, with the failure where it is not a limit's. */
  ending: AbortSignal;
  stop: (failure: AgentFailure) => void;
}

/** Asks, and reads to the end or to a limit. Never rejects. */
async function answer(answering: Answering): Promise<AgentFailure | undefined> {
  const { options, assignment, processes, stream, ending } = answering;
  const problem = directoryProblem(options.working_directory);
  if (problem) return { code: "configuration", message: problem };
  if (ending.aborted) return cutBy(answering);
  for (;;) {
    let agent: AcpProcess;
    try {
      agent = await processes.take(assignment, ending);
    } catch (error) {
      return ending.aborted ? cutBy(answering) : failureOf(error, undefined, options);
    }
    const isOld = agent.sessions > 0;
    const failure = await answerFrom(agent, answering);
    await processes.finish(agent, assignment, !failure);
    // A process that has died while it waited has not been asked: another one is.
    if (!(isOld && failure?.code === "crashed" && !stream.is_asked && !ending.aborted)) return failure;
  }
}

async function answerFrom(agent: AcpProcess, answering: Answering): Promise<AgentFailure | undefined> {
  const { options, assignment, stream, ending } = answering;
  const reader = readerOf(answering);
  try {
    await agent.readBy(reader);
    const begun = () => {
      stream.is_asked = true;
    };
    const response = await converse(agent, { options, assignment, ending, opened: reader.open, begun });
    stream.usage.read(response);
    stream.is_whole = response !== undefined && !ending.aborted;
    stream.end();
    if (ending.aborted || !response) return cutBy(answering);
    return stopFailure(response, stream, options);
  } catch (error) {
    stream.end();
    if (ending.aborted) return cutBy(answering);
    await agent.settled();
    return failureOf(error, agent, options);
  } finally {
    agent.reader = undefined;
  }
}

/** The failure of an answer that we ended. */
function cutBy({ limits, ending, options, stream }: Answering): AgentFailure {
  if (limits.reason === "silent" && stream.refusal !== undefined) return toldFailure(stream.refusal, options.program);
  const own = limits.reason === undefined ? (ending.reason as Partial<AgentFailure> | undefined) : undefined;
  return own?.code === "budget" ? (own as AgentFailure) : cutFailure(limits.reason ?? "aborted", options);
}

function failureOf(error: unknown, agent: AcpProcess | undefined, { program }: AcpAgentOptions): AgentFailure {
  if (error instanceof E8Error && error.code === "agent_configuration")
    return { code: "configuration", message: (error.details as { message: Statement }).message };
  return thrownFailure(error, { stderr: agent?.stderr ?? "", exit: agent?.exit }, program);
}

/** Why the agent stopped, where that is no good end. Some tell of a limit in words only. */
function stopFailure(
  { stopReason }: PromptResponse,
  { text, status, was_denied }: AnswerStream,
  { program }: AcpAgentOptions,
): AgentFailure | undefined {
  if (status.error !== undefined) return toldFailure(status.error, program);
  const said = saidFailure(text);
  if (said === "authentication") return toldFailure(text.slice(0, 1000), program);
  if (said) return { code: said, message: text.slice(0, 1000) };
  switch (stopReason) {
    case "end_turn":
      return undefined;
    case "cancelled": // some end their turn when a call is refused: the next iteration knows of the refusal
      return was_denied ? undefined : { code: "crashed", message: message("acp_stopped", { reason: stopReason }) };
    case "max_tokens":
      return { code: "context_overflow", message: message("answer_cut_off", {}) };
    case "max_turn_requests":
      return { code: "turn_limit", message: message("acp_stopped", { reason: stopReason }) };
    case "refusal":
      return { code: "refused", message: message("model_refused", { reason: stopReason }) };
    default:
      return { code: "crashed", message: message("acp_stopped", { reason: String(stopReason) }) };
  }
}
