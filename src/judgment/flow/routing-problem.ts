/** Why a step's answer leads nowhere. */
export type RoutingCause =
  | "intent_missing"
  | "intent_unknown"
  | "intent_forbidden"
  | "transition_missing"
  | "target_missing"
  | "target_unknown"
  | "condition_unmatched";

/** Ends the run; never a silent success. */
export interface RoutingProblem {
  code: "FAILED_STEP_ROUTING";
  cause: RoutingCause;
  message: string;
}

export function routingProblem(cause: RoutingCause, message: string): { problem: RoutingProblem } {
  return { problem: { code: "FAILED_STEP_ROUTING", cause, message } };
}
