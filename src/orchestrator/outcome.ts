import type { TurnResult } from "../connection/ports/backlog.ts";
import type { WorkflowAgent } from "../model/flow/workflow.ts";

/** Where agents say how it came out. */
const NAMES = ["outcome", "verdict", "decision", "result"];

/**
 * The outcome of an agent's turn. A run that did not complete has its status as its outcome. A completed one has what its last step
 * says, where the workflow knows such an outcome, and otherwise `success`.
 */
export function outcomeOf({ outputPhases }: WorkflowAgent, { result, output }: TurnResult): string {
  if (result.status !== "completed") return result.status;
  const said = NAMES.map((name) => output[name]).filter((value) => typeof value === "string");
  const known = Object.keys(outputPhases);
  const found = said.flatMap((word) => known.filter((name) => name.toLowerCase() === word.trim().toLowerCase()));
  return found[0] ?? (Object.hasOwn(outputPhases, "success") ? "success" : (said[0] ?? "success"));
}
