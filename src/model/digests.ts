import { z } from "zod";

/** Digests of files, by path. */
export const Digests = z.record(z.string(), z.string());
export type Digests = z.infer<typeof Digests>;

/** `M`, `A` or `D`, as git says, and the path. */
export function differencesBetween(before: Digests, now: Digests): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return paths.flatMap((path) => {
    if (!Object.hasOwn(now, path)) return [`D ${path}`];
    if (!Object.hasOwn(before, path)) return [`A ${path}`];
    return before[path] === now[path] ? [] : [`M ${path}`];
  });
}
