import type { Hash } from "node:crypto";
import { existsSync, fstatSync, lstatSync, renameSync, type Stats, statSync } from "node:fs";
import { copyFile, type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";
import { E8Error } from "../../../model/errors.ts";
import { message, type Statement } from "../../../model/message.ts";
import { notice } from "../../../model/notices.ts";
import { digestOf, isSame } from "../../files.ts";
import type { ReportNotice } from "../../ports/task-store.ts";
import { syncDirectory, writeFully } from "./durable.ts";
import { errorCode, writeFault } from "./faults.ts";
import { once, readRecords, toLine } from "./json-lines.ts";
import { OWN_FILE } from "./task-paths.ts";
import { SET_ASIDE } from "./task-text.ts";
import { mendTail } from "./torn-tail.ts";
import { JournalCopy } from "./vault/journal-copy.ts";

/** An append-only file of records, one a line. Only the process that holds the task's lock writes to it. */
export interface Journal<T> {
  /** Whether it had no records when it was opened. */
  readonly startedEmpty: boolean;
  /** Resolves to the stored record once it is on disk. Leaves no partial record when it fails. */
  append(record: T): Promise<T>;
  read(): AsyncIterable<T>;
  /** Throws `records_lost` when the file is missing, shorter or, by its time stamps, changed. */
  check(): void;
  /** The same, but compares the whole content. */
  verify(): void;
  close(): Promise<void>;
}

/** Throws when another run has taken the task. */
export type Guard = () => Promise<void>;

/** `copy`: a file outside the project that gets every record first; `isNew`: it is to become what the journal is. */
export interface JournalProtection {
  guard?: Guard | undefined;
  copy?: { path: string; isNew: boolean } | undefined;
}

/** Opens or creates the file, and repairs a torn last line. The guard runs before every write, and its copy gets every record first. */
export async function openJournal<T extends object>(
  path: string,
  schema: z.ZodType<T>,
  report: ReportNotice,
  { guard, copy }: JournalProtection = {},
): Promise<Journal<T>> {
  const file = await openFile(path);
  try {
    const length = await mendTail(file, schema, (bytes) => report(notice("torn_line", { file: path, bytes })));
    if (copy?.isNew) await copyFile(path, copy.path);
    const copied = copy && (await JournalCopy.open(copy.path));
    return new FileJournal({ path, schema, report, guard, copy: copied, file }, length);
  } catch (error) {
    await file.close();
    throw writeFault(error, path);
  }
}

interface JournalParts<T> {
  path: string;
  schema: z.ZodType<T>;
  report: ReportNotice;
  guard: Guard | undefined;
  copy: JournalCopy | undefined;
  file: FileHandle;
}

class FileJournal<T extends object> implements Journal<T> {
  readonly startedEmpty: boolean;
  readonly #parts: JournalParts<T>;
  readonly #reportOnce: ReportNotice;
  /** The bytes of complete records. */
  #length: number;
  /** The digest of those bytes. */
  readonly #digest: Hash;
  #stamps: string;
  #torn = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: JournalParts<T>, length: number) {
    this.#parts = parts;
    this.#reportOnce = once(parts.report);
    this.#length = length;
    this.#digest = digestOf(parts.file.fd, length);
    this.#stamps = this.#currentStamps();
    this.startedEmpty = length === 0;
  }

  append(record: T): Promise<T> {
    const result = this.#queue.then(() => this.#write(toLine(record)));
    this.#queue = result.catch(() => {});
    return result;
  }

  async *read(): AsyncGenerator<T> {
    const { path, schema } = this.#parts;
    if (this.#length > 0) yield* readRecords(path, schema, this.#reportOnce);
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#parts.file.close();
    await this.#parts.copy?.close();
  }

  async #write(line: string): Promise<T> {
    const { file, path, guard, copy } = this.#parts;
    const bytes = Buffer.from(line);
    await guard?.();
    try {
      await this.#dropTorn();
      await this.#dropForeign();
      await copy?.append(bytes);
      this.#torn = true;
      writeFully(file.fd, bytes);
      this.#stamps = this.#currentStamps();
      await file.datasync();
    } catch (error) {
      await copy?.takeBack();
      await this.#dropTorn().catch(() => {}); // the next append or open tries again
      throw writeFault(error, path);
    }
    this.#torn = false;
    copy?.confirm(bytes);
    this.#length += bytes.length;
    this.#digest.update(bytes);
    return JSON.parse(line) as T;
  }

  /** Time stamps have steps of some milliseconds. Only `verify` finds a change within one step. */
  check(): void {
    if (this.#currentStamps() === this.#stamps) this.#checkedSize();
    else this.verify();
  }

  verify(): void {
    this.#checkedSize();
    const stamps = this.#currentStamps();
    if (!isSame(digestOf(this.#parts.file.fd, this.#length), this.#digest))
      throw this.#lost(message("records_changed", {}));
    this.#stamps = stamps;
  }

  /** Programs cannot set `ctime` back. */
  #currentStamps(): string {
    const { size, mtimeNs, ctimeNs } = fstatSync(this.#parts.file.fd, { bigint: true });
    return `${size} ${mtimeNs} ${ctimeNs}`;
  }

  /** An agent's `git clean -xfd` deletes the records. Writing to the deleted file would hide that. */
  #checkedSize(): number {
    const { file, path } = this.#parts;
    const { size, ino, dev } = fstatSync(file.fd);
    const named = statSync(path, { throwIfNoEntry: false });
    if (named?.ino !== ino || named.dev !== dev) throw this.#gone(named);
    if (size < this.#length) throw this.#lost(message("records_shortened", {}));
    return size;
  }

  #gone(inItsPlace: Stats | undefined): E8Error {
    const { path } = this.#parts;
    if (!existsSync(dirname(path)))
      return new E8Error("records_lost", { path, problem: message("records_directory_gone", {}), all: true });
    return this.#lost(inItsPlace?.isDirectory() ? message("records_replaced", {}) : message("records_deleted", {}));
  }

  /** Sets the file aside, so that a resumed run does not read what a worker wrote. */
  #lost(problem: Statement): E8Error {
    const { path } = this.#parts;
    try {
      if (!lstatSync(path).isDirectory()) renameSync(path, `${path}${SET_ASIDE}`);
    } catch {
      // missing, or not permitted
    }
    return new E8Error("records_lost", { path, problem });
  }

  /** Only we write here: bytes after our last record are forged. */
  async #dropForeign(): Promise<void> {
    const { file, path, report } = this.#parts;
    if (this.#checkedSize() === this.#length) return;
    await file.truncate(this.#length);
    report(notice("records_restored", { file: path }));
  }

  async #dropTorn(): Promise<void> {
    if (!this.#torn) return;
    await this.#parts.file.truncate(this.#length);
    this.#torn = false;
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const isNew = await stat(path).then(
      () => false,
      (error) => errorCode(error) === "ENOENT",
    );
    const file = await open(path, "a+", OWN_FILE);
    if (isNew) await syncDirectory(dirname(path));
    return file;
  } catch (error) {
    throw writeFault(error, path);
  }
}
