import type { Statement } from "../message.ts";
import type { FindingKind } from "../roles.ts";

/** Where a reviewer's quotation stands, and what it says. */
interface Quoted {
  file: string;
  line: number;
  quote: string;
  explanation: string;
}

/** What reviewers say about the work, why none was asked, and what is wrong with an answer. */
export interface ReviewMessages {
  review_off: object;
  review_without_model: object;
  review_without_snapshot: object;
  review_nothing_changed: object;
  review_not_reached: object;
  review_finding: Quoted & { kind: FindingKind };
  review_unmet: { id: number; criterion: string; explanation: string };
  review_unquoted: { id: number; criterion: string };
  /** No file has changed. */
  review_wants_file: object;
  review_text_unread: { ids: string };
  /** `file`: `M path`, `A path`, `D path`. */
  review_undemanded: { file: string; explanation: string };
  review_stamp: { files: string; explanation: string };
  review_unusable: { model: string; problem: Statement };
  review_criterion_skipped: { id: number };
  review_criterion_contradicted: { id: number };
  review_file_skipped: { file: string };
  review_file_contradicted: { file: string };
  review_ignored_skipped: object;
  review_quote_missing: { file: string; line: number; quote: string };
  review_demand_missing: { file: string; demand: string };
}
