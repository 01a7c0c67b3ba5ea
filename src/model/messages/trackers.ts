import type { Statement } from "../message.ts";
import type { LoopStatus } from "../records.ts";

export type TrackedKind = "issue" | "pr";

export type TrackerAct =
  | "list"
  | "read"
  | "find"
  | "create"
  | "close"
  | "label"
  | "read_comments"
  | "comment"
  | "find_pull_request"
  | "open_pull_request"
  | "link"
  | "read_labels"
  | "save_label"
  | "release";

/** Messages about issue trackers. */
export interface TrackerMessages {
  /**
   * Something a tracker is asked to do: in English after "could not", in Japanese a noun. `number` is an issue's or a pull
   * request's, `name` a branch, a label or a tag.
   */
  tracker_act: { act: TrackerAct; number?: number; name?: string; kind?: TrackedKind; repository?: string };
  tracker_unknown: { kind: string };
  tracker_missing: { folder: string };
  tracker_token_missing: object;
  tracker_locked: { who: Statement; since: string; path: string };
  tracker_host_unknown: { host: string };
  item_of_other_kind: { number: number; kind: TrackedKind };
  frontmatter_not_yaml: { problem: string };
  frontmatter_invalid: { path: string; problem: Statement };
  labels_file_invalid: { path: string };
  github_answer_not_json: object;
  github_answer_unexpected: object;
  issue_comment_effect: { issue: number };
  /** `landing`: what became of the branch; empty without one. */
  issue_done_comment: { id: string; landing: string };
  issue_not_done: { status: LoopStatus; id: string; landing: string };
  /** `reason`: an issue that took too many turns, or too many in one phase. */
  issue_in_circles: { reason: "cycles" | "repetition"; count: number; phase: string };
  handover_value_missing: { expression: string };
  handover_outside: { path: string };
}
