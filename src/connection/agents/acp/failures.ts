import type { AgentFailure, FailureCode } from "../../../model/agent.ts";
import { problemOf } from "../../../model/errors.ts";
import { isRecord, textOf } from "../../../model/json.ts";
import { message as told } from "../../../model/message.ts";
import { shortMessage } from "../failures.ts";
import type { AcpProgram } from "./program.ts";
import { OtherVersion, StartFailure } from "./start-failure.ts";
import { toldReset } from "./told-reset.ts";

/** What the protocol calls "authentication required". */
export const AUTH_REQUIRED = -32000;
const METHOD_MISSING = -32601;
const PARAMS_INVALID = -32602;

/** How the agent's process came to its end, with what it said. */
interface Ended {
  stderr: string;
  exit: { code: number | null; signal: string | null } | undefined;
}

/** The failure of an answer whose request was rejected, or whose agent is gone. */
export function thrownFailure(error: unknown, ended: Ended, program: AcpProgram): AgentFailure {
  if (error instanceof StartFailure) return startFailure(error, program);
  if (isRequestError(error)) return requestFailure(error, program);
  if (ended.exit) return { code: "crashed", message: endMessage(ended, program) };
  return { code: "crashed", message: problemOf(error) };
}

/** An agent that cannot be started will not start the next time either. */
function startFailure({ agent, cause }: StartFailure, program: AcpProgram): AgentFailure {
  const { title } = program;
  if (cause instanceof OtherVersion) {
    const { spoken, ours } = cause;
    return { code: "configuration", message: told("acp_other_version", { title, spoken, ours }) };
  }
  if (isRequestError(cause)) {
    const failure = requestFailure(cause, program);
    return failure.code === "crashed" ? { ...failure, code: "configuration" } : failure;
  }
  const { exit, stderr } = agent;
  if (exit?.signal) return { code: "crashed", message: endMessage({ exit, stderr }, program) };
  return { code: "configuration", message: told("acp_not_started", { title, said: endSaid({ exit, stderr }) }) };
}

function endMessage({ exit, stderr: said }: Ended, { title }: AcpProgram) {
  const { signal = null, code = null } = exit ?? {};
  return told("program_ended", {
    program: title,
    said: shortMessage(said),
    ...(signal ? { signal } : { exit_code: code }),
  });
}

function endSaid({ exit, stderr }: Ended): string {
  return shortMessage(stderr) || (exit ? `exit code ${exit.code ?? exit.signal}` : "");
}

interface Rejection extends Error {
  code: number;
  data?: unknown;
}

export function isRequestError(error: unknown): error is Rejection {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}

function requestFailure(error: Rejection, program: AcpProgram): AgentFailure {
  const { code, data } = error;
  const kind = isRecord(data) ? textOf(data.errorKind ?? data.kind ?? data.type ?? data.code) : "";
  const details = isRecord(data) ? textOf(data.details ?? data.message ?? data.error) : textOf(data);
  const said = shortMessage([error.message, details].filter(Boolean).join(": "));
  const found = codeOf(code, kind, `${kind} ${said}`);
  return failureFor(found, { said, program, retry_at: retryAt(data) });
}

/** The failure of an answer in whose place the agent told of an error, as a text. */
export function toldFailure(said: string, program: AcpProgram): AgentFailure {
  return failureFor(codeOf(0, "", said), { said: shortMessage(said), program, retry_at: undefined });
}

interface Told {
  said: string;
  program: AcpProgram;
  /** Where it was given as a number. */
  retry_at: number | undefined;
}

function failureFor(code: FailureCode, { said, program: { title, known }, retry_at }: Told): AgentFailure {
  if (code === "authentication") {
    const { command, variables } = known?.login ?? { command: "", variables: [] };
    const sentence = said.replace(/\.+$/, ""); // ours goes on after it
    return {
      code,
      message: told("acp_not_logged_in", { title, said: sentence, command }),
      login: { command, variables },
    };
  }
  const at = code === "rate_limit" || code === "usage_limit" ? (retry_at ?? toldReset(said, Date.now())) : undefined;
  return { code, message: told("acp_refused", { title, said }), ...(at !== undefined && { retry_at: at }) };
}

/** What the agent said in its answer instead of rejecting the request. */
export function saidFailure(text: string): FailureCode | undefined {
  return SAID.find(([pattern]) => pattern.test(text))?.[1];
}

function codeOf(code: number, kind: string, said: string): FailureCode {
  const worded = PATTERNS.find(([pattern]) => pattern.test(said))?.[1];
  // A limit of an account is told of as one of its rate.
  const known = worded === "usage_limit" ? worded : (KINDS[kind] ?? worded);
  if (known) return known;
  if (code === AUTH_REQUIRED) return "authentication";
  return code === METHOD_MISSING || code === PARAMS_INVALID ? "configuration" : "crashed";
}

/** Names that agents have for what is wrong. */
const KINDS: Readonly<Record<string, FailureCode>> = {
  authentication_failed: "authentication",
  auth_required: "authentication",
  billing_error: "billing",
  rate_limit: "rate_limit",
  overloaded: "overloaded",
  server_error: "server",
  model_not_found: "configuration",
  usage_limit_reached: "usage_limit",
  usage_limit: "usage_limit",
};

/** Words of the vendors. The more special ones come first. */
const PATTERNS: readonly (readonly [RegExp, FailureCode])[] = [
  [/insufficient_quota|billing|credit balance|payment required|\b402\b/i, "billing"],
  [
    /usage limit|exhausted your|hit your (\S+ )?limit|limit reached|quota (is )?(exceeded|exhausted)|RESOURCE_EXHAUSTED/i,
    "usage_limit",
  ],
  [/context_length_exceeded|prompt is too long|context (window|size|length)|request too large/i, "context_overflow"],
  [/\b429\b|rate.?limit|too many requests/i, "rate_limit"],
  [/\b529\b|\b503\b|overloaded|UNAVAILABLE/i, "overloaded"],
  [
    /\b401\b|\b403\b|unauthori[sz]ed|missing environment variable|not logged in|log ?in|authenticat|api key (is )?(missing|invalid)|(invalid|incorrect) (x-)?(api[ -])?key/i,
    "authentication",
  ],
  [
    /E(CONN\w+|NOTFOUND|TIMEDOUT|HOSTUNREACH|AI_AGAIN)|fetch failed|network|socket hang up|stream disconnected|(cannot|unable to) connect/i,
    "network",
  ],
  [/\b5\d\d\b|internal server error|bad gateway/i, "server"],
  [/content.?filter|content.?policy|safety|refus/i, "refused"],
];

/** An agent that works may write about limits: only words that stand for the whole answer count. */
const SAID: readonly (readonly [RegExp, FailureCode])[] = [
  [/^\W*You['’]ve hit your (?:\w+[- ]){0,3}limit\b/i, "usage_limit"],
  [/^\W*(?:Claude AI )?usage limit reached\b/i, "usage_limit"],
  [/^\W*(?:Please run \/login|Invalid API key|Not logged in)\b/i, "authentication"],
];

/** Seconds or milliseconds since 1970, or seconds from now, where the agent says when asking makes sense again. */
function retryAt(data: unknown): number | undefined {
  if (!isRecord(data)) return undefined;
  const { resets_at, resetsAt, retry_at, retryAt: at, retry_after, retryAfter } = data;
  const moment = [resets_at, resetsAt, retry_at, at].find((value) => typeof value === "number" && value > 1e9);
  if (typeof moment === "number") return moment > 1e11 ? moment : moment * 1000;
  const wait = [retry_after, retryAfter].find((value) => typeof value === "number" && value >= 0);
  return typeof wait === "number" ? Date.now() + wait * 1000 : undefined;
}
