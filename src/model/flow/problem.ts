/** One thing wrong with a definition. */
export interface DefinitionProblem {
  /** Stable, such as `AGENT_UNKNOWN_KEY`. */
  code: string;
  severity: "error" | "warning";
  /** Relative to the agent's directory. */
  file: string;
  /** JSON path, such as `steps["initial.task"].transitions.next`; empty for the file as a whole. */
  path: string;
  line?: number;
  /** What is wrong. */
  message: string;
  /** Why it matters. */
  why: string;
  /** How to fix it. */
  fix: string;
  /** What the three sentences are about, so that they can be said in another language. */
  details: object;
}
