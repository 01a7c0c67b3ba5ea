import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile, syncDirectory, writeFully } from "./durable.ts";
import { writeFault } from "./faults.ts";
import { endsInNewline, toLine } from "./json-lines.ts";
import { isDirectory, textIn } from "./task-text.ts";

/**
 * Appends to a file that other runs append to, without a lock. A single write keeps the records of several writers apart. A
 * torn last line gets its newline first, so that it spoils no record. Never truncates: a torn line may be another write in
 * progress.
 */
export async function appendShared(path: string, records: readonly object[]): Promise<void> {
  if (records.length === 0) return;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, "a+");
    try {
      await appendTo(file, path, records.map(toLine).join(""));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeFault(error, path);
  }
}

/**
 * Remembers the text of a file that only grows. The returned function puts it back where it was removed or rewritten, and says
 * whether it had to. Added lines stay: other runs and the user add some at any time.
 */
export function growingFile(path: string): () => Promise<boolean> {
  let seen = textIn(path) ?? "";
  return async () => {
    const now = textIn(path) ?? "";
    if (now.startsWith(seen)) {
      seen = now;
      return false;
    }
    if (isDirectory(path)) await rm(path, { recursive: true });
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, seen);
    return true;
  };
}

async function appendTo(file: FileHandle, path: string, lines: string): Promise<void> {
  const { size } = await file.stat();
  writeFully(file.fd, Buffer.from(endsInNewline(file.fd, size) ? lines : `\n${lines}`));
  await file.datasync();
  if (size === 0) await syncDirectory(dirname(path));
}
