import { closeSync, constants, fsync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { errorCode, writeFault } from "./faults.ts";

/** The one call that waits for the disk. All others are over before another thread would have begun with them. */
const flush = promisify(fsync);

/** Replaces the file in one step: a reader, or a power cut, finds the old text or the new one, never a part. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await replace(path, async (draft) => {
    await writeDraft(draft, text);
    renameSync(draft, path);
    await syncDirectory(dirname(path));
  });
}

/** The same for readers, but until `flushFile` has ended a power cut may leave neither text. */
export async function replaceUnflushed(path: string, text: string): Promise<void> {
  await replace(path, async (draft) => {
    const file = openDraft(draft);
    try {
      writeFully(file, Buffer.from(text));
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  });
}

/** Makes a file, as it is named and written by now, survive a power cut. */
export async function flushFile(path: string): Promise<void> {
  try {
    await Promise.all([flushed(openSync(path, NEVER_WAITING)), syncDirectory(dirname(path))]);
  } catch (error) {
    throw writeFault(error, path);
  }
}

async function replace(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    await write(draft);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw writeFault(error, path);
  }
}

/** What stands in its place was left by a killed run, or put there by a worker: a pipe that would be waited for, or a link. */
function openDraft(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    rmSync(path, { recursive: true, force: true });
    return openSync(path, "wx");
  }
}

/** Not even where a pipe has taken the file's place. */
const NEVER_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Writes all of it: on a full disk one write may take only a part without an error. */
export function writeFully(file: number, bytes: Uint8Array): void {
  writeFileSync(file, bytes);
}

/** Makes names that were added to or removed from a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  try {
    await flushed(openSync(path, "r"));
  } catch (error) {
    if (!CANNOT_SYNC.has(errorCode(error) ?? "")) throw error;
  }
}

/** Some file systems know no sync of directories, and some directories may be written but not read. */
const CANNOT_SYNC = new Set(["EINVAL", "EISDIR", "ENOTSUP", "EOPNOTSUPP", "EACCES", "EPERM", "EBADF"]);

async function writeDraft(path: string, text: string): Promise<void> {
  const file = openDraft(path);
  await flushed(file, () => writeFully(file, Buffer.from(text)));
}

async function flushed(file: number, write: () => void = () => {}): Promise<void> {
  try {
    write();
    await flush(file);
  } finally {
    closeSync(file);
  }
}
