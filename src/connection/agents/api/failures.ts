import { z } from "zod";
import type { AgentFailure, FailureCode } from "../../../model/agent.ts";
import { jsonIn } from "../../../model/json.ts";
import { type Statement, message as told } from "../../../model/message.ts";
import { causesOf, ProxyRefusal } from "../../fetch.ts";
import { shortMessage } from "../failures.ts";
import { TooLarge } from "./request.ts";
import { retryAt } from "./retry-at.ts";

/** The parts that are read of a provider's error: an error status, or an unreadable answer. */
const ThrownCall = z.looseObject({
  message: z.string().default(""),
  statusCode: z.number().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).default({}).catch({}),
  responseBody: z.string().default("").catch(""),
});
type ThrownCall = z.infer<typeof ThrownCall>;

export function readThrown(error: unknown): ThrownCall {
  const { message = String(error) } = error instanceof Error ? error : {};
  return ThrownCall.parse({ ...(typeof error === "object" ? error : {}), message });
}

/** The failure of an answer that was never given. */
export function thrownFailure(error: unknown): AgentFailure {
  const refusal = causesOf(error).find((cause) => cause instanceof ProxyRefusal);
  if (refusal) {
    const { message, proxy, address, status } = refusal;
    return { code: "configuration", message, proxy: { proxy, address, status } };
  }
  const thrown = readThrown(error);
  const code = codeOf(error, thrown);
  const now = Date.now();
  const retry_at = code === "rate_limit" ? (retryAt(thrown.responseHeaders, now) ?? delayIn(thrown, now)) : undefined;
  return { code, message: messageOf(error, thrown), ...(retry_at !== undefined && { retry_at }) };
}

/** Servers without schemas for answers say so in many ways, but all name the parameter. */
export function refusesSchemas(error: unknown): boolean {
  const { statusCode = 0, responseBody } = readThrown(error);
  return (
    UNPROCESSABLE.includes(statusCode) &&
    /response_?(format|schema|json_?schema)|json_?schema|output_config|text\.format|structured|grammar/i.test(
      responseBody,
    )
  );
}

const UNPROCESSABLE = [400, 415, 422, 500, 501];

function codeOf(error: unknown, thrown: ThrownCall): FailureCode {
  const { statusCode: status } = thrown;
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof TooLarge)) return "malformed";
  if (status === undefined) return nodeFailure(causes.map(nodeCode).find(Boolean) ?? "");
  const said = saidBy(thrown);
  const [, told] = telling.find(([pattern]) => pattern.test(said)) ?? [];
  // OpenRouter says so of a failure behind it, in an answer.
  const inner = status < 300 ? codeIn(thrown) : undefined;
  if (status < 300) return told ?? (inner === undefined ? "malformed" : byStatus(inner));
  return (status === 401 ? undefined : told) ?? byStatus(status);
}

function byStatus(status: number): FailureCode {
  return statuses[status] ?? (status >= 500 ? "server" : "configuration");
}

/** A status in the place of a code. */
function codeIn({ responseBody }: ThrownCall): number | undefined {
  const { error } = bodyOf(responseBody);
  const code = typeof error === "object" ? error.code : undefined;
  return typeof code === "number" && code >= 400 ? code : undefined;
}

/** A failure without a code of Node's is an answer that could not be read. */
function nodeFailure(code: string): FailureCode {
  if (NETWORK.test(code)) return "network";
  if (WRONG.test(code)) return "configuration";
  return code === "" ? "malformed" : "crashed";
}

/** ECONNREFUSED … */
function nodeCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

const NETWORK = /^(E(CONN|HOST|NET|PIPE|AI_|NOTFOUND|TIMEDOUT|ADDRNOTAVAIL)|HPE_|UND_ERR)/;
const WRONG = /CERT|SELF_SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO|^ERR_INVALID|^ERR_UNESCAPED/;

/** Texts that say more than the status they came with. */
const telling: readonly (readonly [RegExp, FailureCode])[] = [
  [/API_KEY_INVALID|API key not valid/, "authentication"],
  // Not "billing" alone: a rate limit's text often says where to buy more.
  [/insufficient_quota|billing_(error|hard|not)|credit balance|payment required/i, "billing"],
  [
    /context_length_exceeded|prompt is too long|request too large|input (is too long|token count)|context (window|size|length)/i,
    "context_overflow",
  ],
  [/content_filter|content_policy|invalid_prompt/i, "refused"],
  [/overloaded/i, "overloaded"],
  // OpenAI also sends these with a status that says "answered".
  [/rate_limit_exceeded/i, "rate_limit"],
  [/server_error/i, "server"],
];

const statuses: Readonly<Record<number, FailureCode>> = {
  401: "authentication",
  402: "billing",
  403: "authentication",
  408: "network",
  413: "context_overflow",
  429: "rate_limit",
  503: "overloaded",
  529: "overloaded",
};

const Said = z.looseObject({ type: z.unknown(), code: z.unknown(), message: z.unknown() }).partial();
const ErrorBody = Said.extend({ error: z.union([z.string(), Said]).optional().catch(undefined) });

const Delayed = z.looseObject({
  error: z.looseObject({ details: z.array(z.looseObject({ retryDelay: z.string().optional() })) }),
});

/** Google writes the delay into the body. */
function delayIn({ responseBody }: ThrownCall, now: number): number | undefined {
  const { error } = Delayed.safeParse(jsonIn(responseBody)).data ?? {};
  const delay = error?.details.map(({ retryDelay }) => retryDelay).find((one) => one !== undefined);
  return delay === undefined ? undefined : retryAt({ "retry-after": delay }, now);
}

/** Type, code and message of an error, wherever this server puts them. */
function saidBy({ responseBody, statusCode = 0 }: ThrownCall): string {
  const body = bodyOf(responseBody);
  if (typeof body.error === "string") return body.error;
  const { type, code, message } = body.error ?? (statusCode < 300 ? {} : body);
  return [type, code, message].filter((part) => typeof part === "string").join(" ");
}

function bodyOf(text: string): z.infer<typeof ErrorBody> {
  return ErrorBody.safeParse(jsonIn(text)).data ?? {};
}

function messageOf(error: unknown, { statusCode, responseBody, message }: ThrownCall): Statement {
  const large = causesOf(error).find((cause) => cause instanceof TooLarge);
  if (large) return told("answer_too_large", { megabytes: large.megabytes });
  const body = bodyOf(responseBody);
  const inner = typeof body.error === "string" ? body.error : (body.error ?? body).message;
  const words = (typeof inner === "string" && inner.trim()) || message.trim();
  const status = statusCode === undefined || statusCode < 300 ? undefined : statusCode;
  if (words === "") return told("no_reason_given", { status: status ?? null });
  return shortMessage(status === undefined ? words : `${words} (${status})`);
}
