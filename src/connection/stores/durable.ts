import { closeSync, fsync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
    writeFileSync(draft, text, { flag: NEW });
    renameSync(draft, path);
  });
}

/** Makes a file, as it is named and written by now, survive a power cut. */
export async function flushFile(path: string): Promise<void> {
  try {
    await Promise.all([flushed(openSync(path, "r")), syncDirectory(dirname(path))]);
  } catch (error) {
    throw writeFault(error, path);
  }
}

async function replace(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    // Left by a run that was killed, or put there by a worker: a pipe would be waited for without end, a link be followed.
    rmSync(draft, { recursive: true, force: true });
    await write(draft);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw writeFault(error, path);
  }
}

const NEW = "wx";

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
  const file = openSync(path, NEW);
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
