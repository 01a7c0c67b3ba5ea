import type { DiffView } from "../model/dashboard.ts";

/** More would not be read, and takes a browser long to show. */
const LONGEST = 2_000_000;

export function shortened({ diff, ...differences }: Omit<DiffView, "is_cut">): DiffView {
  const is_cut = diff.length > LONGEST;
  return { ...differences, diff: is_cut ? diff.slice(0, diff.lastIndexOf("\n", LONGEST) + 1) : diff, is_cut };
}
