import type { Configuration } from "../model/configuration.ts";
import type { LoopStatus, StopReason } from "../model/records.ts";
import type { Move, RunState } from "../model/state.ts";
import type { Usage } from "../model/usage.ts";
import { isByBudget } from "./flow/completion.ts";

interface RunLimits extends Pick<Configuration, "max_iterations" | "budget" | "stall_limit" | "until"> {
  /** A claim must be proved before it completes the run. */
  proves?: boolean;
  /** Where proved work goes from the task's own branch: to its base, or with the branch to the remote. */
  lands?: "base" | "remote" | undefined;
  /** A stronger worker is named, for a run that stands still. */
  escalates?: boolean;
  /** The last worker keeps failing, and another one has yet to try. */
  has_fresh_turn?: boolean;
}

/** What counts against the limits. */
interface Spent extends Usage {
  now: Date;
}

/** The next move after the records so far. The same records give the same move, so a run can be resumed. */
export function nextMove(state: RunState, spent: Spent, limits: RunLimits): Move {
  const judged = state.judgment?.iteration ?? 0;
  if (state.iterations > judged) return { do: "conclude" };
  const claimed = claimMove(state, limits);
  if (claimed) return claimed;
  const stop_reason = reachedLimit(state, spent, limits);
  const isTurn = stop_reason === "stalled" && limits.has_fresh_turn;
  if (stop_reason === "stalled" && !isTurn && limits.escalates && !state.escalated) return { do: "escalate" };
  return stop_reason && !isTurn ? { do: "end", stop_reason } : { do: "work", iteration: state.iterations + 1 };
}

/** Only a claim that holds completes the run. Undefined: nothing is claimed, or the proof has refuted it. */
function claimMove({ judgment, proof, landing }: RunState, limits: RunLimits): Move | undefined {
  const { proves = false, lands } = limits;
  if (!judgment?.is_complete) return undefined;
  const end: Move = { do: "end", stop_reason: isByBudget(judgment) ? "flow_budget" : "criteria_met" };
  const isSent = landing?.outcome === "landed" || landing?.outcome === "kept" || landing?.outcome === "published";
  const landMove: Move = landing?.outcome === "failed" ? { do: "end", stop_reason: "not_landed" } : { do: "land" };
  if (!proves) return lands === "remote" && !isSent ? landMove : end;
  if (proof?.iteration !== judgment.iteration) return { do: "prove" };
  if (!proof.holds) return undefined;
  return lands === undefined || isSent ? end : landMove;
}

function reachedLimit({ iterations, standstill }: RunState, spent: Spent, limits: RunLimits): StopReason | undefined {
  const usedUp = reachedBudget(spent, limits.budget);
  if (usedUp) return usedUp;
  if (limits.until !== null && spent.now >= new Date(limits.until)) return "deadline";
  if (iterations >= limits.max_iterations) return "max_iterations";
  if (limits.stall_limit !== null && standstill >= limits.stall_limit) return "stalled";
  return undefined;
}

/** The budget that is used up, where one is. */
export function reachedBudget(spent: Usage, budget: Configuration["budget"]): StopReason | undefined {
  const { cost_usd, tokens, minutes } = budget;
  if (cost_usd !== null && spent.cost_usd >= cost_usd) return "budget_cost";
  if (tokens !== null && spent.tokens >= tokens) return "budget_tokens";
  if (minutes !== null && spent.seconds >= minutes * 60) return "budget_time";
  return undefined;
}

export const statusOf = {
  criteria_met: "completed",
  already_true: "completed",
  flow_budget: "completed",
  max_iterations: "max_iterations",
  budget_cost: "budget_exceeded",
  budget_tokens: "budget_exceeded",
  budget_time: "budget_exceeded",
  deadline: "budget_exceeded",
  stalled: "stalled",
  conditions_failed: "conditions_failed",
  already_green: "conditions_failed",
  not_landed: "conditions_failed",
  error: "error",
  cancelled: "cancelled",
  clarification_needed: "clarification_needed",
} as const satisfies Record<StopReason, LoopStatus>;
