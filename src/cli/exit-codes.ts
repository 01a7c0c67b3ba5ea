import type { LoopStatus } from "../model/records.ts";

export const exitCodes = {
  completed: 0,
  max_iterations: 1,
  budget_exceeded: 1,
  stalled: 1,
  conditions_failed: 1,
  error: 2,
  cancelled: 3,
  clarification_needed: 4,
} as const satisfies Record<LoopStatus, number>;

/** Bad usage, bad configuration, or anything else that kept a command from doing its work. */
export const EXIT_ERROR = 2;

/** Ctrl-C ended a view; the run goes on. Shells use the same code. */
export const EXIT_LEFT = 130;
