import { z } from "zod";

/** A file that differs from the start of a task. `null`: not known, as without git, or for the lines of a binary file. */
export const ChangedFile = z.object({
  /** Relative to the project, absolute outside it. */
  path: z.string(),
  status: z.enum(["added", "modified", "deleted"]).nullable(),
  /** Lines. */
  added: z.int().nullable(),
  removed: z.int().nullable(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** The sums over all changed files, also over those that a record leaves out. */
export const ChangeTotals = z.object({ files: z.int(), added: z.int(), removed: z.int() });
export type ChangeTotals = z.infer<typeof ChangeTotals>;

export function totalsOf(files: readonly ChangedFile[]): ChangeTotals {
  const sum = (of: "added" | "removed") => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  return { files: files.length, added: sum("added"), removed: sum("removed") };
}
