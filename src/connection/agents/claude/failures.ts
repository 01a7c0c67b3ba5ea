import type { SDKAssistantMessageError, SDKRateLimitInfo, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentFailure, FailureCode } from "../../../model/agent.ts";
import { message as told } from "../../../model/message.ts";
import type { Exit } from "../../processes/process-tree.ts";
import { shortMessage } from "../failures.ts";

/** The trouble that the stream reported beside its result. */
export interface Troubles {
  /** The last API error. */
  error: SDKAssistantMessageError | undefined;
  /** The limit that refused us. */
  limit: SDKRateLimitInfo | undefined;
  /** How long Claude Code waited before its last retry. */
  retry_delay_ms: number | undefined;
  refused: boolean;
  /** Whether the model has said anything at all. */
  answered: boolean;
}

/** The failure in a result. The subtype `success` proves nothing: API errors have it, too. */
export function resultFailure(result: SDKResultMessage, troubles: Troubles): AgentFailure | undefined {
  const code = resultCode(result, troubles);
  if (!code) return undefined;
  const retry_at = retryAt(code, troubles);
  return { code, message: resultMessage(result), ...(retry_at !== undefined && { retry_at }) };
}

/** The failure of a Claude Code that ended, or never began, without a result. */
export function processFailure(exit: Exit | undefined, details: { begun: boolean; said: string }): AgentFailure {
  const { signal, code: exit_code = null } = exit ?? {};
  const end = signal ? { signal } : { exit_code };
  const message = details.said ? shortMessage(details.said) : told("claude_ended", end);
  // A process that ends before it has begun would always do so: a wrong option, a wrong program, a refused schema.
  const code = details.begun || exit?.signal ? "crashed" : "configuration";
  return { code, message };
}

function resultCode(result: SDKResultMessage, troubles: Troubles): FailureCode | undefined {
  if (result.subtype !== "success")
    return "startup_failure_reason" in result ? "configuration" : subtypes[result.subtype];
  if (!result.is_error) return undefined;
  if (troubles.limit) return troubles.limit.errorCode === "credits_required" ? "billing" : "usage_limit";
  if (troubles.refused || result.stop_reason === "refusal") return "refused";
  const reason = result.terminal_reason && reasons[result.terminal_reason];
  return reason ?? errorCode(result.api_error_status ?? null, troubles);
}

/** What is wrong while Claude Code asks again by itself. */
export function retryCode(status: number | null, error: SDKAssistantMessageError): FailureCode {
  return status === null ? "network" : errorCode(status, { error, answered: true });
}

const subtypes: Record<Exclude<SDKResultMessage["subtype"], "success">, FailureCode> = {
  error_max_turns: "turn_limit",
  error_max_budget_usd: "budget",
  error_max_structured_output_retries: "malformed",
  error_during_execution: "crashed",
};

const reasons: Partial<Record<NonNullable<SDKResultMessage["terminal_reason"]>, FailureCode>> = {
  prompt_too_long: "context_overflow",
  image_error: "context_overflow",
  blocking_limit: "context_overflow",
  rapid_refill_breaker: "context_overflow",
  max_turns: "turn_limit",
  budget_exhausted: "budget",
  structured_output_retry_exhausted: "malformed",
  malformed_tool_use_exhausted: "malformed",
};

function errorCode(status: number | null, { error, answered }: Pick<Troubles, "error" | "answered">): FailureCode {
  const known = error && errors[error];
  if (known) return known;
  if (status === null) return error === "server_error" ? "network" : "malformed";
  if (status >= 500) return statuses[status] ?? "server";
  // A request refused before the first answer has a wrong model, schema or setting.
  return statuses[status] ?? (answered ? "crashed" : "configuration");
}

/** Codes of Claude Code that say enough by themselves; `server_error` is not among them: it stands for an overloaded, a broken and an absent server alike. */
const errors: Partial<Record<SDKAssistantMessageError, FailureCode>> = {
  authentication_failed: "authentication",
  oauth_org_not_allowed: "authentication",
  account_on_hold: "authentication",
  verification_required: "authentication",
  cloud_credential_error: "authentication",
  billing_error: "billing",
  rate_limit: "rate_limit",
  overloaded: "overloaded",
  model_not_found: "configuration",
  max_output_tokens: "context_overflow",
};

const statuses: Record<number, FailureCode> = {
  401: "authentication",
  402: "billing",
  403: "authentication",
  404: "configuration",
  408: "network",
  413: "context_overflow",
  429: "rate_limit",
  529: "overloaded",
};

function retryAt(code: FailureCode, { limit, retry_delay_ms }: Troubles): number | undefined {
  if (code === "usage_limit") return limit?.resetsAt === undefined ? undefined : limit.resetsAt * 1000;
  // Claude Code's own waits have odd lengths; whole seconds are what the server asked for.
  const asked = code === "rate_limit" && retry_delay_ms !== undefined && retry_delay_ms % 1000 === 0;
  return asked ? Date.now() + retry_delay_ms : undefined;
}

function resultMessage(result: SDKResultMessage): string {
  const text = result.subtype === "success" ? result.result : (result.errors ?? []).join("; ");
  return shortMessage(text.trim() || result.subtype);
}
