import { closeSync, constants, fsync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
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

/** Makes a file's current name and content survive a power cut. */
export async function flushFile(path: string): Promise<void> {
  try {
    await Promise.all([flushed(openSync(path, NEVER_WAITING)), syncDirectory(dirname(path))]);
  } catch (error) {
    throw writeFault(error, path);
  }
}

async function replace(path: string, text: string, settle?: typeof flush): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    const file = openDraft(draft);
    try {
      writeFully(file, Buffer.from(text));
      await settle?.(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw writeFault(error, path);
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
