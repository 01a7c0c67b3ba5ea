import type { Statement } from "../message.ts";

/** Messages about tool calls that must not happen. */
export interface PolicyMessages {
  /** `what`: a command as it is typed, or a description. */
  not_for_step: { what: Statement };
  not_for_verification: { what: string };
  reading_only: { tool: string };
  reading_outside: { tool: string };
  api_call: { host: string };
  tracker_file_change: object;
  /** `.e8` would go. */
  records_removed: { command: string; instead: "leave" | "exclude" | "stash_untracked" };
}
