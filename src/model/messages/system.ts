import type { Statement } from "../message.ts";

/** Messages that several areas share: lists, files, directories, processes. */
export interface SystemMessages {
  list: { items: readonly Statement[]; separator: string };
  /** Without a path, "it": the sentence around it names the file. */
  file_missing: { path?: string };
  file_count: { count: number };
  is_directory: object;
  not_a_regular_file: object;
  no_permission: object;
  directory_missing: { path: string };
  not_a_directory: { path: string };
  cancelled: object;
  cancelled_before_start: object;
  default_export_missing: object;
  typescript_unsupported: object;
  flow_name_invalid: object;
  /** A schema's own words for one issue, in both languages. */
  schema_issue: { en: string; ja: string };
}
