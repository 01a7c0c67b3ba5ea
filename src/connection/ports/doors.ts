import type { AgentFailure } from "../../model/agent.ts";

/** What the runs of one process know of the accounts that they share. */
export interface Doors {
  /** Why this account is not asked now, and from when on it is. Undefined: it may be asked. */
  refusal(account: string): AgentFailure | undefined;
  /** A run has met a limit that ends at a named time. */
  close(account: string, failure: AgentFailure, until: number): void;
}
