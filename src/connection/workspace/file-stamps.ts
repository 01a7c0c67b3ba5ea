import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

export function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Programs cannot set the time of the last change back. */
export function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino, mode].join(" ");
}

/** Undefined where there is no file. */
export function stampAt(path: string): string | undefined {
  const stats = statOf(path);
  return stats && stampOf(stats);
}

/** Our own records, and git's. */
export const OURS = /(^|\/)(\.e8|\.git)(\/|$)/;

const MOST_FILES = 200_000;

/** Adds the files at or below a path, with their links, to those found. */
export async function walk(top: string, path: string, found: Map<string, BigIntStats>): Promise<void> {
  if (found.size >= MOST_FILES || OURS.test(path)) return;
  if (found.size % 512 === 511) await setImmediate();
  const stats = statOf(join(top, path));
  if (!stats) return;
  if (!stats.isDirectory()) {
    if (stats.isFile() || stats.isSymbolicLink()) found.set(path, stats);
    return;
  }
  for (const name of namesIn(join(top, path))) await walk(top, `${path}/${name}`, found);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
