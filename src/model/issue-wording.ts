import type { z } from "zod";
import { message, type Statement } from "./message.ts";

/** A zod issue as a statement, for data without better messages. Parse with `reportInput`. */
export function issueWording(issue: z.core.$ZodIssue): Statement {
  const { path: _path, message: words, ...facts } = issue;
  const plain = JSON.parse(JSON.stringify({ ...facts, input: outline(issue.input), errors: undefined }));
  return message("schema_issue", issue.code === "custom" ? { ...plain, message: words } : plain);
}

/** Sentences name only the type of a value, so its content need not be kept. */
function outline(input: unknown): unknown {
  if (Array.isArray(input)) return [];
  if (typeof input === "string") return "";
  return typeof input === "object" && input !== null ? {} : input;
}
