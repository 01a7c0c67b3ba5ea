import { type Message, message } from "../model/message.ts";
import type { StopReason } from "../model/records.ts";
import type { RunContext } from "./run-context.ts";

export type TimeLimit = Extract<StopReason, "budget_time" | "deadline">;

/** Seconds until the time budget or the deadline ends the run, and which of the two does. Infinite without either. */
export function timeLeft({ configuration, meter, ports }: RunContext): { seconds: number; stop_reason: TimeLimit } {
  const { budget, until } = configuration;
  const inBudget = budget.minutes === null ? Number.POSITIVE_INFINITY : budget.minutes * 60 - meter.total().seconds;
  if (until === null) return { seconds: inBudget, stop_reason: "budget_time" };
  const toDeadline = (Date.parse(until) - ports.clock.now().getTime()) / 1000;
  return toDeadline < inBudget
    ? { seconds: toDeadline, stop_reason: "deadline" }
    : { seconds: inBudget, stop_reason: "budget_time" };
}

/** The limit that a stop reason names, if it is about time. */
export function outOfTimeMessage(limit: TimeLimit): Message {
  return message(limit === "deadline" ? "deadline_passed" : "time_budget_used", {});
}
