import { z } from "zod";
import type { Statement } from "./statement.ts";

const japanese = z.locales.ja().localeError;

/** What a schema found wrong, for data that has no better words of its own. Parse with `reportInput`. */
export function issueWording(issue: z.core.$ZodIssue): Statement {
  const said = japanese(issue as z.core.$ZodRawIssue);
  return { en: issue.message, ja: (typeof said === "string" ? said : said?.message) ?? issue.message };
}
