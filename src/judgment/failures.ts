import type { FailureCode } from "../model/agent.ts";

/**
 * What follows from a failed answer. `fatal`: only the user can mend it, the run ends. `wait`: it passes, ask again
 * later. `again`: ask once more at once. `record`: the next iteration reads it and tries differently.
 */
export type Consequence = "fatal" | "wait" | "again" | "record";

export const consequenceOf = {
  authentication: "fatal",
  billing: "fatal",
  configuration: "fatal",
  rate_limit: "wait",
  usage_limit: "wait",
  overloaded: "wait",
  server: "wait",
  network: "wait",
  malformed: "again",
  schema_resolution: "record",
  silent: "record",
  timeout: "record",
  turn_limit: "record",
  budget: "record",
  context_overflow: "record",
  refused: "record",
  crashed: "record",
} as const satisfies Record<FailureCode, Consequence>;

const FIRST_WAIT_SECONDS = 2;
const LONGEST_WAIT_SECONDS = 300;

/** Seconds to wait before attempt number `attempt` + 1, when the other side has not said. */
export function backoffSeconds(attempt: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), LONGEST_WAIT_SECONDS);
}

/** How long a model may stay out of reach before a run gives up. */
export const PATIENCE_HOURS = 6;
