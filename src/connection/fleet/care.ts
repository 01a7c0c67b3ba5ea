import { existsSync } from "node:fs";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Environment } from "../../model/environment.ts";
import { takeLock } from "../stores/files/lock.ts";
import { LOCK, type Mirror, mirrorsDirectory, PLACE_NAME, PLACES, REPOSITORY } from "./mirror.ts";

const DAY_MILLISECONDS = 86_400_000;
/** A copy that nothing has used for so long is removed by those who want room. */
const UNUSED_MILLISECONDS = 14 * DAY_MILLISECONDS;
/** Young objects may belong to a fetch or a run that is just beginning. */
const PRUNE = "--prune=2.weeks.ago";

/**
 * Keeps the machine's copy from growing for ever: once a day, and under its lock. Checkouts read their objects in it, so that nothing is
 * removed while there is one; what is there is only packed then.
 */
export async function careFor(mirror: Mirror, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !(await isDue(mirror))) return; // a run that is told to stop has no time for it
  await mirror.locked(async () => {
    if (!(await isDue(mirror))) return;
    await writeFile(stampOf(mirror), "");
    const isFree = !(await readdir(mirror.places)).some((name) => PLACE_NAME.test(name));
    if (isFree) await forgetRemoved(mirror);
    await mirror.git(["gc", "--quiet", isFree ? PRUNE : "--no-prune"]);
  }, signal);
}

function stampOf({ directory }: Mirror): string {
  return join(dirname(directory), "cared");
}

async function isDue(mirror: Mirror): Promise<boolean> {
  const stamp = await stat(stampOf(mirror)).catch(() => undefined);
  return Date.now() - (stamp?.mtimeMs ?? 0) > DAY_MILLISECONDS;
}

/** Snapshots that the remote no longer has: their task was removed. No run of this machine can have made them just now. */
async function forgetRemoved({ git, url }: Mirror): Promise<void> {
  const there = await git(["ls-remote", url, "refs/e8/*"]);
  if (there.exit_code !== 0) return;
  const known = new Set(there.output.split("\n").map((line) => line.split("\t")[1]));
  const { output } = await git(["for-each-ref", "--format=%(refname)", "refs/e8/"]);
  const gone = output.split("\n").filter((ref) => ref !== "" && !known.has(ref));
  if (gone.length > 0) await git(["update-ref", "--stdin"], gone.map((ref) => `delete ${ref}\n`).join(""));
}

/** Removes this machine's copies of repositories that nothing has used for two weeks. The next task fetches them again. Returns how many. */
export async function removeUnused(environment: Environment): Promise<number> {
  const all = mirrorsDirectory(environment);
  let count = 0;
  for (const name of await readdir(all).catch(() => [])) if (await removedIfUnused(join(all, name))) count += 1;
  return count;
}

/** Whoever uses a copy takes its lock, which changes its directory. The directory stays for those who are just about to. */
async function removedIfUnused(home: string): Promise<boolean> {
  const copy = join(home, REPOSITORY);
  const used = await stat(home).catch(() => undefined);
  if (!used || !existsSync(copy) || Date.now() - used.mtimeMs < UNUSED_MILLISECONDS) return false;
  const lock = await takeLock(join(home, LOCK), { id: LOCK });
  if ("rival" in lock) return false;
  try {
    const places = await readdir(join(home, PLACES)).catch(() => []);
    if (places.some((name) => PLACE_NAME.test(name))) return false; // a worker that was killed has left it: the next one looks
    await rm(copy, { recursive: true, force: true, maxRetries: 5 });
    return true;
  } finally {
    await lock.release();
  }
}
