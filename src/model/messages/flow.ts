/** Messages about flows: their gates, routes, conditions and effects. */
export interface FlowMessages {
  issue_label_effect: { issue: number; add: readonly string[]; remove: readonly string[] };
  issue_close_effect: { issue: number };
  /** After it was closed. */
  issue_still_open: { state: string };
}
