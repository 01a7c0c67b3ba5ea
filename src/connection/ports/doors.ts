import type { AgentFailure } from "../../model/agent.ts";

/** Either why an account is not asked now, and from when on it is; or what to call after the answer. */
export type Entry = { refusal: AgentFailure } | { leave(): Promise<void> };

/** What runs know of the accounts that they share: those of one process, or those of a whole fleet. */
export interface Doors {
  /** Waits until one more agent may be asked on the account, and sets money aside for its answer. Throws `fleet_budget_spent`. */
  enter(account: string, signal: AbortSignal): Promise<Entry> | Entry;
  /** A run has met a limit that ends at a named time. */
  close(account: string, failure: AgentFailure, until: number): Promise<void> | void;
}
