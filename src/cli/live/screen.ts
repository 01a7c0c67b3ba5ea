import type { RunEvent } from "../../model/events.ts";

/** Where a person watches a run. */
export interface Screen {
  show(event: RunEvent): void;
  /** The user has asked the run to stop. */
  stopping(): void;
  /** Leaves the terminal to somebody else for as long as they need it. */
  lend<T>(use: () => Promise<T>): Promise<T>;
  /** Nothing is shown from now on. */
  close(): void;
}

export interface ScreenOptions {
  verbose?: boolean;
  plain?: boolean;
}
