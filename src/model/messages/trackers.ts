import type { Statement } from "../message.ts";

export type TrackedKind = "issue" | "pr";

/** Messages about issue trackers. */
export interface TrackerMessages {
  /** Something a tracker is asked to do: in English after "could not", in Japanese a noun. A label needs no `kind`. */
  tracker_act: { act: "read" | "find" | "close" | "label"; number: number; kind?: TrackedKind; repository?: string };
  tracker_unknown: { kind: string };
  tracker_missing: { folder: string };
  tracker_token_missing: object;
  tracker_host_unknown: { host: string };
  item_of_other_kind: { number: number; kind: TrackedKind };
  frontmatter_not_yaml: { problem: string };
  frontmatter_invalid: { path: string; problem: Statement };
  github_answer_not_json: object;
  github_answer_unexpected: object;
}
