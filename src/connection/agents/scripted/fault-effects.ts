import { errorOf, resetOf } from "./model/faults.ts";
import type { Fault } from "./model/story.ts";

/** How Claude Code reports a fault. */
interface FaultEffect {
  /** The HTTP status; null where the answer had none, or one that says nothing. */
  status: number | null;
  /** Claude Code's own name for it. */
  error?: string;
  message: string;
  terminal_reason?: string;
  /** Epoch seconds. */
  resets_at?: number;
  /** How often it asks again; as often as it is set to where absent. */
  retries?: number;
}

/** A stall lasts until a limit ends it. */
export function faultEffect(fault: Fault): FaultEffect | "stall" {
  if (fault.kind === "stall") return "stall";
  if (fault.kind === "disconnect")
    return { status: null, error: "server_error", message: "API Error: the connection was closed" };
  if (fault.kind !== undefined && fault.status === undefined)
    return { status: null, message: `API Error: the answer cannot be read (${fault.kind})`, retries: 1 };
  const { status, message } = errorOf(fault);
  const resets_at = resetOf(fault);
  const isFinal = resets_at !== undefined || (status < 500 && !RETRIED.includes(status));
  return {
    status,
    message: `API Error: ${status} ${message}`,
    ...nameOf(status, message),
    ...(resets_at !== undefined && { resets_at }),
    ...(isFinal && { retries: 0 }),
  };
}

const RETRIED = [408, 409, 429];

function nameOf(status: number, message: string): Pick<FaultEffect, "error" | "terminal_reason"> {
  if (/prompt is too long/i.test(message)) return { terminal_reason: "prompt_too_long" };
  if (/credit balance/i.test(message)) return { error: "billing_error" };
  const error = ERRORS[status];
  return error === undefined ? {} : { error };
}

const ERRORS: Readonly<Record<number, string>> = {
  401: "authentication_failed",
  429: "rate_limit",
  529: "overloaded",
};
