import { randomBytes } from "node:crypto";
import { constants, existsSync, lstatSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, link, open, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { E8Error } from "../../../model/errors.ts";
import { jsonIn } from "../../../model/json.ts";
import { type Message, message } from "../../../model/message.ts";
import { errorCode, readFault, writeFault } from "./faults.ts";
import { isAlive, ownIdentity, ProcessIdentity } from "./process-identity.ts";
import { OWN_FILE } from "./task-paths.ts";

/** The process that holds a lock. Every token is unique. */
export const LockHolder = ProcessIdentity.extend({
  token: z.string().regex(/^[0-9a-f]+$/),
  since: z.string(),
  /** The task that it runs and its project, in a lock that is not the task's own. */
  task: z.object({ id: z.string(), project: z.string() }).optional(),
});
export type LockHolder = z.infer<typeof LockHolder>;

export interface Lock {
  readonly token: string;
  /** Whether a process that was killed had left it: what it was writing may be there still. */
  readonly was_left: boolean;
  /**
   * Restores the lock when a worker has removed or changed it; returns true then. Throws `task_taken` when another run has
   * taken the task. An unchanged lock costs one stat.
   */
  keep(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the task's lock or throws `task_locked`. A lock ends with its process or a reboot, never by age: a suspended process
 * keeps its lock.
 */
export async function acquireLock(path: string, id: string): Promise<Lock> {
  const taken = await takeLock(path, { id });
  if ("rival" in taken) throw new E8Error("task_locked", { id, ...describeHolder(taken.rival, path) });
  return taken;
}

/** Takes a lock for a task, or returns the live process that holds it. The lock names the task where its project is given. */
export async function takeLock(
  path: string,
  { id, project }: { id: string; project?: string },
): Promise<Lock | { rival: LockHolder }> {
  const self: LockHolder = {
    ...(await ownIdentity()),
    token: randomBytes(12).toString("hex"),
    since: new Date().toISOString(),
    ...(project !== undefined && { task: { id, project } }),
  };
  const { rival, was_left = false } = await put(path, self);
  if (rival) return { rival };
  await sweep(path);
  return { ...heldLock(path, id, self), was_left };
}

function heldLock(path: string, id: string, self: LockHolder): Omit<Lock, "was_left"> {
  let mark = markOf(path);
  let mending: Promise<boolean> | undefined;
  const mend = async () => {
    const isChanged = !(await isHeldBy(self, path));
    const { rival } = isChanged ? await put(path, self) : {};
    if (rival) throw new E8Error("task_taken", { id, who: whoIs(rival), since: rival.since });
    mark = markOf(path);
    return isChanged;
  };
  const keep = async () => {
    if (mark !== undefined && markOf(path) === mark) return false;
    if (!existsSync(dirname(path))) return false; // the records are gone, too, and report it
    if (mending) return mending.then(() => false);
    mending = mend().finally(() => {
      mending = undefined;
    });
    return mending;
  };
  return { token: self.token, keep, release: () => release(path, self.token) };
}

/** Changes with every change of the file. */
function markOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Removes anything in the lock's place that is not a file. */
async function isHeldBy(self: LockHolder, path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return (await look(path))?.token === self.token;
  if (found) await rm(path, { recursive: true, force: true });
  return false;
}

/** The live process that holds a lock; or whether a killed one had left it, which is ours now. */
type Taking = { rival?: never; was_left: boolean } | { rival: LockHolder; was_left?: never };

const MOST_TRIES = 5;

/** Writes our identity to the lock. Another process may take our ticket for one that a killed process has left: then it is written again. */
async function put(path: string, self: LockHolder): Promise<Taking> {
  const ticket = `${path}.ticket-${self.token}`;
  try {
    for (let tries = 1; ; tries += 1) {
      writeTicket(ticket, self);
      try {
        return await take(path, { lock: path, ticket });
      } catch (error) {
        if (existsSync(ticket) || tries === MOST_TRIES) throw error;
      }
    }
  } catch (error) {
    throw writeFault(error, path);
  } finally {
    await rm(ticket, { force: true }).catch(() => {});
  }
}

/** The live holder, if there is one. */
export async function readLock(path: string): Promise<LockHolder | undefined> {
  const found = await lastHolder(path);
  return found?.is_alive ? found.holder : undefined;
}

/** For those who ask again and again whether the lock has a live holder: while it is unchanged, it is not read again. */
export function holding(path: string): () => Promise<boolean> {
  let seen: { mark: string; holder: LockHolder } | undefined;
  return async () => {
    const mark = markOf(path);
    if (mark !== undefined && seen?.mark === mark) return isAlive(seen.holder);
    const last = await lastHolder(path);
    seen = mark !== undefined && last ? { mark, holder: last.holder } : undefined;
    return last?.is_alive ?? false;
  };
}

/** The last process that took the lock and did not release it, alive or killed. */
export async function lastHolder(path: string): Promise<{ holder: LockHolder; is_alive: boolean } | undefined> {
  const found = await look(path).catch((error) => {
    throw readFault(error, path);
  });
  const holder = found?.holder;
  return holder && { holder, is_alive: await isAlive(holder) };
}

export function whoIs({ pid, host }: LockHolder): Message {
  return message("process_on_host", { pid, host });
}

export function isOnThisHost(holder: LockHolder): boolean {
  return holder.host === hostname();
}

interface Attempt {
  lock: string;
  /** A file with our identity. It is complete before it is linked to another name. */
  ticket: string;
}

/**
 * Links our identity to `target`, unless a live process holds it.
 * Several processes may find the same dead holder. The right to replace it is a second lock, the claim, named after the dead
 * holder's token. So no process can replace a live one that has just replaced the dead holder.
 */
async function take(target: string, attempt: Attempt): Promise<Taking> {
  for (;;) {
    if (await linked(attempt.ticket, target)) return { was_left: false };
    const found = await look(target);
    if (found === undefined) continue;
    if (found.holder && (await isAlive(found.holder))) return { rival: found.holder };
    const claim = `${attempt.lock}.claim-${found.token}`;
    const { rival } = await take(claim, attempt);
    if (rival) return { rival };
    if ((await look(target))?.token === found.token) {
      await rename(claim, target);
      return { was_left: true };
    }
    await rm(claim, { force: true });
  }
}

async function linked(ticket: string, target: string): Promise<boolean> {
  try {
    await link(ticket, target);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

interface Found {
  token: string;
  /** Undefined when the file is damaged. Tickets are complete before they are linked, so no process is still writing it. */
  holder: LockHolder | undefined;
}

async function look(path: string): Promise<Found | undefined> {
  const file = await openItself(path);
  if (!file || !("readFile" in file)) return file;
  try {
    const holder = LockHolder.safeParse(jsonIn(await file.readFile("utf8"))).data;
    return { token: holder?.token ?? `damaged-${(await file.stat()).ino}`, holder };
  } finally {
    await file.close();
  }
}

/** Does not block on a pipe or follow a link: our locks are neither, and a link's target may be missing. */
async function openItself(path: string): Promise<FileHandle | Found | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return undefined;
    if (code !== "ELOOP") throw error;
    return { token: `damaged-${lstatSync(path, { throwIfNoEntry: false })?.ino}`, holder: undefined };
  }
}

/** Not flushed: a power cut ends the process as well, and a lock that is damaged by it has no holder. */
function writeTicket(path: string, self: LockHolder): void {
  // Another user who wants to work in the same directory must see who is there.
  const mode = self.task ? 0o644 : OWN_FILE;
  writeFileSync(path, `${JSON.stringify(self)}\n`, { flag: "wx", mode });
}

/** Removes the lock only while it has our token. No process replaces a live holder, so it cannot change in between. */
async function release(path: string, token: string): Promise<void> {
  if ((await look(path))?.token === token) await rm(path, { force: true });
}

/**
 * Removes files of processes that died while taking the lock, also one that died before it had written who it is. Safe while we hold it,
 * because no claim is valid then.
 */
async function sweep(path: string): Promise<void> {
  const directory = dirname(path);
  const prefixes = [`${basename(path)}.claim-`, `${basename(path)}.ticket-`];
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))) {
    const file = join(directory, name);
    const holder = (await look(file).catch(() => undefined))?.holder;
    if (!holder || !(await isAlive(holder))) await rm(file, { force: true }).catch(() => {});
  }
}

/** The holder for people, with the lock's file where we cannot see whether the holder is alive. */
export function describeHolder(holder: LockHolder, path: string): { who: Message; since: string; lock?: string } {
  return { who: whoIs(holder), since: holder.since, ...(!isOnThisHost(holder) && { lock: path }) };
}
