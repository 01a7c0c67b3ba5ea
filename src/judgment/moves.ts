import type { Configuration } from "../model/configuration.ts";
import type { LoopStatus, StopReason } from "../model/records.ts";
import type { Move, RunState } from "../model/state.ts";
import type { Usage } from "../model/usage.ts";
import { isByBudget } from "./flow/completion.ts";

type RunLimits = Pick<Configuration, "max_iterations" | "budget" | "stall_limit">;

/** The next move after the records so far. The same records give the same move, so a run can be resumed. */
export function nextMove(state: RunState, spent: Usage, limits: RunLimits): Move {
  const judged = state.judgment?.iteration ?? 0;
  if (state.iterations > judged) return { do: "conclude" };
  if (state.judgment?.is_complete)
    return { do: "end", stop_reason: isByBudget(state.judgment) ? "flow_budget" : "criteria_met" };
  const stop_reason = reachedLimit(state, spent, limits);
  return stop_reason ? { do: "end", stop_reason } : { do: "work", iteration: state.iterations + 1 };
}

function reachedLimit({ iterations, standstill }: RunState, spent: Usage, limits: RunLimits): StopReason | undefined {
  const usedUp = reachedBudget(spent, limits.budget);
  if (usedUp) return usedUp;
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
  flow_budget: "completed",
  max_iterations: "max_iterations",
  budget_cost: "budget_exceeded",
  budget_tokens: "budget_exceeded",
  budget_time: "budget_exceeded",
  stalled: "stalled",
  conditions_failed: "conditions_failed",
  error: "error",
  cancelled: "cancelled",
  clarification_needed: "clarification_needed",
} as const satisfies Record<StopReason, LoopStatus>;
