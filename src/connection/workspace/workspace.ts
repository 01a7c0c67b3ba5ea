import { type BigIntStats, lstatSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../ports.ts";
import { digestsOf } from "./digests.ts";
import { listEntries } from "./project-files.ts";

const MAX_FILES = 50_000;

/**
 * Compares sizes and time stamps: it sees changes whoever makes them, and reads no file. In a project of more than
 * `limit` files, one beyond them counts as changed when its status changed after the watch began.
 */
export function createWorkspace(project: string, limit: number = MAX_FILES): Workspace {
  return {
    async watch() {
      const began = Date.now() - CLOCK_GRAIN;
      const before = await takeSnapshot(project, limit);
      const isNew = (now: BigIntStats) => before.isWhole || Number(now.ctimeMs) >= began;
      return async () => {
        const after = await takeSnapshot(project, limit);
        const touched = [...after.files].filter(([path, now]) => isChanged(before.files.get(path), now) ?? isNew(now));
        return [...touched.map(([path]) => path), ...(await vanished(project, before, after))].sort();
      };
    },
    digests: (patterns) => digestsOf(project, patterns),
  };
}

/** File systems stamp with a clock that ticks in steps of up to 10 ms. */
const CLOCK_GRAIN = 10;

interface Snapshot {
  files: Map<string, BigIntStats>;
  /** False when there may be more files than it holds. */
  isWhole: boolean;
}

async function takeSnapshot(project: string, limit: number): Promise<Snapshot> {
  const snapshot: Snapshot = { files: new Map(), isWhole: true };
  const directories = [""];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    const room = limit - snapshot.files.size;
    const names = await listEntries(join(project, directory), room);
    if (names.length >= room) snapshot.isWhole = false;
    const paths = names.map((name) => (directory === "" ? name : `${directory}/${name}`));
    for (const [path, stats] of await statAll(project, paths)) {
      if (stats?.isDirectory()) directories.push(path);
      else if (stats) snapshot.files.set(path, stats);
    }
  }
  return snapshot;
}

/** Several times faster than asking asynchronously, in slices short enough to let others run between them. */
async function statAll(project: string, paths: readonly string[]): Promise<[string, BigIntStats | undefined][]> {
  const stats: [string, BigIntStats | undefined][] = [];
  for (const [index, path] of paths.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    stats.push([path, statOf(project, path)]);
  }
  return stats;
}

const AT_ONCE = 128;

function statOf(project: string, path: string): BigIntStats | undefined {
  try {
    return lstatSync(join(project, path), { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Undefined when nothing is known about what it was before. The time of its status is the one that no program can set back. */
function isChanged(before: BigIntStats | undefined, now: BigIntStats): boolean | undefined {
  return before && (before.size !== now.size || before.mtimeNs !== now.mtimeNs || before.ctimeNs !== now.ctimeNs);
}

/** What was there and is not listed any more: deleted, unless it is merely ignored or beyond the limit by now. */
async function vanished(project: string, before: Snapshot, after: Snapshot): Promise<string[]> {
  const unlisted = [...before.files.keys()].filter((path) => !after.files.has(path));
  const found = await statAll(project, unlisted);
  return found.filter(([path, now]) => !now || isChanged(before.files.get(path), now)).map(([path]) => path);
}
