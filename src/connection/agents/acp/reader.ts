import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  WriteTextFileRequest,
} from "@agentclientprotocol/sdk";
import { isRecord } from "../../../model/json.ts";
import { message } from "../../../model/message.ts";
import type { Answering } from "./acp-agent.ts";
import type { Client } from "./client.ts";
import { chosenOption, reasonAgainst, writablePath } from "./permissions.ts";
import { type KnownCall, readCall } from "./tools.ts";
import type { WireReader } from "./wire.ts";
import { writeInSpace } from "./write-file.ts";

/** Events that wait to be read. An agent that sends more has to wait, too. */
const MOST_WAITING = 1000;
/** An agent whose model refuses may ask it again by itself for so long. */
const REFUSED_SECONDS = 60;
/** A command that runs is silent: the protocol has no sign of life for it. */
const TOOL_SILENCE = 4;

/** What is done with all that the agent sends while one answer is given. */
export interface AnswerReader extends WireReader, Client {
  /** From now on this session counts, and what earlier ones still send does not. */
  open: (session_id: string) => void;
  /** A line of the agent's log. */
  logged: (line: string) => void;
}

export function readerOf(answering: Answering): AnswerReader {
  const { options, assignment, stream, events, limits, ending } = answering;
  const alive = () => {
    if (!ending.aborted) stream.refusal = undefined; // what it says when it is cut off is no progress
    signOfLife(answering);
  };
  let current: string | undefined;
  const isOurs = (session_id: unknown) => current !== undefined && session_id === current && !ending.aborted;
  return {
    open(session_id) {
      current = session_id;
      alive();
    },
    async line(direction, line, said) {
      await inRawLog(
        answering,
        direction,
        said === undefined ? { noise: line.slice(0, LONGEST_NOISE) } : { message: said },
      );
    },
    logged(line) {
      const { session, said } = options.program.known?.refusal?.exec(line)?.groups ?? {};
      if (said === undefined || !isOurs(session)) return;
      if (stream.refusal === undefined)
        limits.alive(Math.min(REFUSED_SECONDS, options.silence_seconds ?? REFUSED_SECONDS));
      stream.refusal = said;
    },
    async update(params) {
      if (!isRecord(params) || current === undefined || params.sessionId !== current) return;
      stream.read(params as SessionNotification);
      alive();
      const { max_cost_usd: most = Number.POSITIVE_INFINITY } = assignment;
      if (stream.usage.cost >= most) answering.stop({ code: "budget", message: message("acp_overspent", { most }) });
      if (!ending.aborted) await events.room(MOST_WAITING);
    },
    async permission({ sessionId, toolCall, options: answers }: RequestPermissionRequest) {
      if (!isOurs(sessionId)) return CANCELLED;
      alive();
      const { toolCallId, ...facts } = toolCall;
      const call = readCall(stream.askedAbout(toolCallId, facts as KnownCall));
      const reason = reasonAgainst(call, options, assignment);
      if (reason !== undefined) stream.deny(toolCallId, call.tool, reason);
      return chosenOption(answers, reason === undefined);
    },
    async write({ sessionId, path, content }: WriteTextFileRequest) {
      if (!isOurs(sessionId)) throw new Error("this session is over");
      alive();
      const wanted = writablePath(path, options.working_directory);
      const call = { tool: "Write", writes: [path], reads: [], scripts: [], is_other: false };
      const reason = typeof wanted === "string" ? reasonAgainst(call, options, assignment) : wanted;
      if (reason !== undefined) {
        stream.deny(`write ${path}`, call.tool, reason);
        throw new Error(options.tell(reason));
      }
      await writeInSpace(wanted as string, content, options);
    },
  };
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
const LONGEST_NOISE = 2000;

function signOfLife({ options, limits, stream }: Answering): void {
  const { silence_seconds } = options;
  limits.alive(silence_seconds !== null && stream.isToolRunning ? silence_seconds * TOOL_SILENCE : silence_seconds);
}

async function inRawLog(
  { options, assignment }: Answering,
  direction: "in" | "out",
  said: { message: unknown } | { noise: string },
): Promise<void> {
  await options.raw_log?.(assignment.iteration, assignment.role, JSON.stringify({ type: "acp", direction, ...said }));
}
