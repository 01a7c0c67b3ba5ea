import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { type Git, gitAt, gitProblem } from "../git/checkout.ts";
import { placeOf } from "../git/project-name.ts";
import { cacheDirectory } from "../processes/environment.ts";
import type { GitAnswer } from "../processes/git.ts";
import { takeLock } from "../stores/files/lock.ts";
import { patiently } from "./patience.ts";

/**
 * This machine's copy of a repository. All that goes to the remote goes from here, with the machine's own credentials and with settings
 * that no worker can write: checkouts are repositories of their own, which read their objects here.
 */
export interface Mirror {
  url: string;
  /** The bare repository. */
  directory: string;
  /** Where the checkouts are. */
  places: string;
  git: Git;
  /** One at a time on this machine. */
  locked<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export interface MirrorOptions {
  environment: Environment;
  signal: AbortSignal;
  /** For each answer of the remote. */
  timeout_seconds?: number | undefined;
}

/** In the directory of a copy. */
export const REPOSITORY = "repository.git";
export const PLACES = "places";
export const LOCK = "lock";

export function mirrorsDirectory(environment: Environment): string {
  return join(cacheDirectory(environment), "fleet");
}

/** Opens the machine's copy of a repository; an empty one where there is none yet. */
export async function openMirror(url: string, options: MirrorOptions): Promise<Mirror> {
  const { environment, signal, timeout_seconds } = options;
  const home = join(mirrorsDirectory(environment), nameFor(url));
  const directory = join(home, REPOSITORY);
  const places = join(home, PLACES);
  await mkdir(places, { recursive: true, mode: 0o700 });
  const lock = join(home, LOCK);
  const git = gitAt(home, { environment });
  const mirror: Mirror = {
    url,
    directory,
    places,
    git: gitAt(directory, { environment, timeout_seconds }),
    locked: async (act, until) => {
      const held = await waitFor(lock, until);
      try {
        return await act();
      } finally {
        await held.release();
      }
    },
  };
  await mirror.locked(async () => {
    const made = await git(["init", "--quiet", "--bare", "--template=", directory]); // harmless for one that is there
    if (made.exit_code !== 0) throw unusable(home, "init", made);
    await freeLocks(directory);
  }, signal);
  return mirror;
}

/** For people first, and unlike every other URL's. */
function nameFor(url: string): string {
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 12);
  return `${basename(placeOf(url) ?? "").replaceAll(/[^\w.-]/g, "_") || "repository"}-${digest}`;
}

/** The directory of a checkout: its task, and what tells it from others of the task. */
export const PLACE_NAME = /^(.+)-[0-9a-f]{8}$/;

const LOOK_AGAIN_MILLISECONDS = 200;

async function waitFor(path: string, signal: AbortSignal) {
  for (;;) {
    const taken = await takeLock(path, { id: basename(path) });
    if (!("rival" in taken)) return taken;
    await sleep(LOOK_AGAIN_MILLISECONDS, undefined, { signal });
  }
}

/** Git holds a lock of refs for moments only. One of this age was left by a git that was killed. */
const OLDEST_LOCK_MILLISECONDS = 60_000;

async function freeLocks(directory: string): Promise<void> {
  for (const name of ["", "refs"]) {
    const entries = await readdir(join(directory, name), { recursive: name !== "" }).catch(() => []);
    for (const path of entries.filter((one) => one.endsWith(".lock")).map((one) => join(directory, name, one))) {
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > OLDEST_LOCK_MILLISECONDS) await rm(path, { force: true });
    }
  }
}

export function unusable(path: string, act: string, answer: GitAnswer): E8Error {
  return new E8Error("place_unusable", { path, problem: gitProblem(act, answer) });
}

const HEADS = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];

/** Brings branches, tags and the task's snapshots here as the remote has them. Waits for a remote that is away. */
export async function fetchAll(mirror: Mirror, task: string, signal: AbortSignal): Promise<void> {
  const refs = [...HEADS, `+refs/e8/${task}/*:refs/e8/${task}/*`];
  const fetch = [
    "fetch",
    "--quiet",
    "--prune",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-auto-gc",
    mirror.url,
    ...refs,
  ];
  await mirror.locked(async () => {
    const answer = await patiently(() => mirror.git(fetch), signal);
    if (answer.exit_code !== 0) throw unreachable(mirror, answer);
  }, signal);
}

/** Brings a task's snapshots here, once and for somebody who waits: a remote that is away is said to be so. */
export async function fetchTask(mirror: Mirror, task: string, signal: AbortSignal): Promise<void> {
  const refs = `+refs/e8/${task}/*:refs/e8/${task}/*`;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", mirror.url, refs];
  await mirror.locked(async () => {
    const answer = await mirror.git(fetch);
    if (answer.exit_code !== 0) throw unreachable(mirror, answer);
  }, signal);
}

/** A branch of the remote as it is now. */
export async function fetchBranch(mirror: Mirror, branch: string, signal: AbortSignal): Promise<GitAnswer> {
  const refs = `+refs/heads/${branch}:refs/heads/${branch}`;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", mirror.url, refs];
  return mirror.locked(() => patiently(() => mirror.git(fetch), signal), signal);
}

export function unreachable({ url }: Pick<Mirror, "url">, { said }: GitAnswer): E8Error {
  return new E8Error("remote_unreachable", { repository: url, said });
}
