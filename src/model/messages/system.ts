import type { Statement } from "../message.ts";

/** Messages that several areas share: lists, files, processes. */
export interface SystemMessages {
  list: { items: readonly Statement[]; separator: string };
  is_directory: object;
  no_permission: object;
  directory_missing: { path: string };
  /** A schema's own words for one issue, in both languages. */
  schema_issue: { en: string; ja: string };
}
