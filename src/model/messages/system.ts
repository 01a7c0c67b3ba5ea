import type { Statement } from "../message.ts";

/** Messages that several areas share: lists, files, processes. */
export interface SystemMessages {
  list: { items: readonly Statement[]; separator: string };
  is_directory: object;
  no_permission: object;
  directory_missing: { path: string };
  /** What zod reports about one value, without its sentence; `message` is given where the schema has words of its own. */
  schema_issue: { code: string; input?: unknown; message?: string };
}
