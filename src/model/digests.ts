import { z } from "zod";

/** Digests of files, by path. */
export const Digests = z.record(z.string(), z.string());
export type Digests = z.infer<typeof Digests>;

/** Begins the name of an installed package. Others may be installed beside those that were there. */
export const INSTALLED = "package ";

/** `M`, `A` or `D`, as git says, and the path. */
export function differencesBetween(before: Digests, now: Digests): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return paths.flatMap((path) => {
    if (Object.hasOwn(now, path) && Object.hasOwn(before, path)) return before[path] === now[path] ? [] : [`M ${path}`];
    if (path.startsWith(INSTALLED)) return [];
    return Object.hasOwn(before, path) ? [`D ${path}`] : [`A ${path}`];
  });
}
