import {
  closeSync,
  constants,
  existsSync,
  fsync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { errorCode, writeFault } from "./faults.ts";
import { OWN_FILE } from "./task-paths.ts";

/** The only call here that waits for the disk. The others are faster when synchronous. */
const flush = promisify(fsync);

/** Replaces the file in one step: a reader, or a power cut, finds the old text or the new one, never a part. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await replace(path, text, flush);
  await syncDirectory(dirname(path)).catch((error) => {
    throw writeFault(error, path);
  });
}

/** The same for readers, but a power cut may leave neither text until `flushFile` has ended. */
export async function replaceUnflushed(path: string, text: string): Promise<void> {
  await replace(path, text);
}

/** Writes a text that hardly ever changes, where it is not there already. */
export function ensureText(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

/** Makes a file's current name and content survive a power cut. */
export async function flushFile(path: string): Promise<void> {
  try {
    await Promise.all([flushed(openSync(path, NEVER_WAITING)), syncDirectory(dirname(path))]);
  } catch (error) {
    throw writeFault(error, path);
  }
}

/** Makes a file, whole or not at all. False where there is one. */
export async function makeFile(path: string, text: string): Promise<boolean> {
  const draft = draftOf(path);
  try {
    await write(draft, text, flush);
    linkSync(draft, path);
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw writeFault(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes the drafts that killed processes have left in a directory. A live one whose draft goes with them writes it again.
 * `isOurs`: by the name of the file that a draft was to become, where other programs' files may lie beside ours.
 */
export async function sweepDrafts(directory: string, isOurs: (name: string) => boolean = () => true): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const drafts = names.filter((name) => name.endsWith(DRAFT) && isOurs(name.slice(0, -DRAFT.length)));
  for (const name of drafts) await rm(join(directory, name), { recursive: true, force: true }).catch(() => {});
}

const DRAFT = ".tmp";
const MOST_TRIES = 5;

function draftOf(path: string): string {
  return `${path}${DRAFT}`;
}

async function replace(path: string, text: string, settle?: typeof flush): Promise<void> {
  const draft = draftOf(path);
  try {
    for (let tries = 1; ; tries += 1) {
      await write(draft, text, settle);
      if (isRenamed(draft, path, tries < MOST_TRIES)) return;
    }
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw writeFault(error, path);
  }
}

/** False where somebody has swept the draft away meanwhile, and it may be written again. */
function isRenamed(draft: string, path: string, mayBeAgain: boolean): boolean {
  try {
    renameSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT" && mayBeAgain) return false;
    throw error;
  }
}

async function write(draft: string, text: string, settle?: typeof flush): Promise<void> {
  const file = openDraft(draft);
  try {
    writeFully(file, Buffer.from(text));
    await settle?.(file);
  } finally {
    closeSync(file);
  }
}

/** Removes a draft that a killed run left, or a pipe or link that a worker put in its place. */
function openDraft(path: string): number {
  try {
    return openSync(path, "wx", OWN_FILE);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    rmSync(path, { recursive: true, force: true });
    return openSync(path, "wx", OWN_FILE);
  }
}

/** Does not block on a pipe in the file's place. */
const NEVER_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Writes all bytes: on a full disk, a single write may write only some of them without an error. */
export function writeFully(file: number, bytes: Uint8Array): void {
  writeFileSync(file, bytes);
}

/** Makes added and removed names of a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  try {
    await flushed(openSync(path, "r"));
  } catch (error) {
    if (!CANNOT_SYNC.has(errorCode(error) ?? "")) throw error;
  }
}

/** Some file systems cannot sync directories, and some directories can be written but not read. */
const CANNOT_SYNC = new Set(["EINVAL", "EISDIR", "ENOTSUP", "EOPNOTSUPP", "EACCES", "EPERM", "EBADF"]);

/** Flushes and closes. */
async function flushed(file: number): Promise<void> {
  try {
    await flush(file);
  } finally {
    closeSync(file);
  }
}
