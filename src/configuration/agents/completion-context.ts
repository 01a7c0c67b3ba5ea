import type { Place, Report } from "./report.ts";

/** What reading a completion needs besides its text. */
export interface CompletionContext {
  report: Report;
  files: ReadonlyMap<string, string>;
  /** Names of the agent's parameters. */
  parameters: readonly string[];
  place(path: readonly PropertyKey[]): Place;
}
