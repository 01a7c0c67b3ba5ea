import type { AgentFailure } from "../../model/agent.ts";

/** What runs know of the accounts that they share: those of one process, or those of a whole fleet. */
export interface Doors {
  /** Why this account is not asked now, and from when on it is. Undefined: it may be asked. */
  refusal(account: string): Promise<AgentFailure | undefined> | AgentFailure | undefined;
  /** A run has met a limit that ends at a named time. */
  close(account: string, failure: AgentFailure, until: number): Promise<void> | void;
  /**
   * Waits until one more agent may be asked on the account, and sets money aside for its answer. Returns what to call after it. Throws
   * `fleet_budget_spent`.
   */
  enter?(account: string, signal: AbortSignal): Promise<() => Promise<void>>;
}
