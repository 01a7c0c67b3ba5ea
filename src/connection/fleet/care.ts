import { readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Mirror, PLACE_NAME } from "./mirror.ts";

const DAY_MILLISECONDS = 86_400_000;
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
