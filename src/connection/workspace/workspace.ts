import { type BigIntStats, lstatSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Workspace } from "../ports/workspace.ts";
import { Contents, isTouched, type Reading } from "./contents.ts";
import { digestsOf } from "./digests.ts";
import { keeperOf } from "./keeper.ts";
import { currentCommit, lookAt } from "./look.ts";
import { listEntries, nameFrom } from "./project-files.ts";
import { topOf } from "./repository.ts";
import type { RoomSettings } from "./room.ts";

interface WorkspaceOptions {
  /** File names are relative to it; by default the directory itself. */
  project?: string;
  /** The most files to look at. */
  limit?: number;
  reading?: Reading;
  /** Where snapshots are kept: a folder of the task's own, and its id. Absent: nothing can be kept. */
  kept?: { folder: string; task: string; settings?: RoomSettings; leaves_out?: string | undefined };
}

const MAX_FILES = 50_000;
/** Takes a few tenths of a second. */
const MOST_READ: Reading = { bytes: 32 * 1024 * 1024, files: 2000 };

/**
 * Watches the repository that the directory is in, as snapshots hold it. Compares sizes and time stamps, so it sees every program's changes, and reads only files that seem changed: their content is
 * compared with the earlier one if a watch before has read it. In a directory of more than `limit` files, a file beyond the limit
 * seems changed when its status time is after the beginning of the watch.
 */
export function createWorkspace(directory: string, options: WorkspaceOptions = {}): Workspace {
  const { project = directory, limit = MAX_FILES, reading = MOST_READ } = options;
  const keeper = keeperOf({ directory, project, ...options.kept });
  const contents = new Contents(reading);
  let base: string | undefined;
  let found: Promise<string> | undefined;
  const findTop = () => {
    found ??= topOf(directory);
    return found;
  };
  return {
    async watch() {
      const began = Date.now() - CLOCK_GRAIN;
      const [held, top] = await Promise.all([contents.current(), findTop()]);
      const watched = { top, own: relative(top, directory), limit };
      const [before, commit] = await Promise.all([takeSnapshot(watched), currentCommit(directory)]);
      base = commit;
      return async (named = []) => {
        const touched = await touchedSince({ began, before }, watched);
        const paths = [...named.map((path) => resolve(project, path)), ...touched.map((path) => join(top, path))];
        const candidates = [...new Set(paths)];
        const now = await contents.of(candidates);
        const changed = candidates.filter((path) => !held.has(path) || held.get(path) !== now.get(path));
        return changed.map((path) => nameFrom(project, path));
      };
    },
    look: async (paths, characters) => lookAt(paths, { project, top: await findTop(), base, characters }),
    ...keeper,
    digests: (patterns) => digestsOf(directory, patterns),
  };
}

interface Watched {
  top: string;
  /** The working directory, below the top: its files matter more when the limit cuts the list. */
  own: string;
  limit: number;
}

async function touchedSince(
  { began, before }: { began: number; before: Snapshot },
  watched: Watched,
): Promise<string[]> {
  const isNew = (now: BigIntStats) => before.isWhole || Number(now.ctimeMs) >= began;
  const after = await takeSnapshot(watched, before.isGit);
  const touched = [...after.files].filter(([path, now]) => isChanged(before.files.get(path), now) ?? isNew(now));
  return [...touched.map(([path]) => path), ...(await vanished(watched.top, before, after))].sort();
}

/** The clock of file systems ticks in steps of up to 10 ms. */
const CLOCK_GRAIN = 10;

interface Snapshot {
  files: Map<string, BigIntStats>;
  /** False when there may be further files. */
  isWhole: boolean;
  /** Whether git listed the files of the directory itself. */
  isGit: boolean;
}

/** `asksGit`: false where an earlier snapshot has shown that the directory is not in a repository. */
async function takeSnapshot({ top, own, limit }: Watched, asksGit = true): Promise<Snapshot> {
  const snapshot: Snapshot = { files: new Map(), isWhole: true, isGit: false };
  const directories = [...new Set(["", own])]; // the last one first
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    const room = limit - snapshot.files.size;
    const { names, isGit } = await listEntries(join(top, directory), room, asksGit);
    if (directory === "") snapshot.isGit = isGit;
    if (names.length >= room) snapshot.isWhole = false;
    const paths = names.map((name) => (directory === "" ? name : `${directory}/${name}`));
    for (const [path, stats] of await statAll(top, paths)) {
      if (stats?.isDirectory()) directories.push(path);
      else if (stats) snapshot.files.set(path, stats);
    }
  }
  return snapshot;
}

/** Synchronous calls are several times faster; slices let other work run in between. */
async function statAll(top: string, paths: readonly string[]): Promise<[string, BigIntStats | undefined][]> {
  const stats: [string, BigIntStats | undefined][] = [];
  for (const [index, path] of paths.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    stats.push([path, statOf(top, path)]);
  }
  return stats;
}

const AT_ONCE = 128;

function statOf(top: string, path: string): BigIntStats | undefined {
  try {
    return lstatSync(join(top, path), { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Undefined when its earlier state is unknown. */
function isChanged(before: BigIntStats | undefined, now: BigIntStats): boolean | undefined {
  return before && isTouched(before, now);
}

/** Files that are no longer listed and were deleted, and not just ignored or beyond the limit now. */
async function vanished(top: string, before: Snapshot, after: Snapshot): Promise<string[]> {
  const unlisted = [...before.files.keys()].filter((path) => !after.files.has(path));
  const found = await statAll(top, unlisted);
  return found.filter(([path, now]) => !now || isChanged(before.files.get(path), now)).map(([path]) => path);
}
