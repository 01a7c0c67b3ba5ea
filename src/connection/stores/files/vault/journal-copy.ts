import { type FileHandle, open } from "node:fs/promises";
import { writeFully } from "../durable.ts";
import { writeFault } from "../faults.ts";

/**
 * The copy of a journal, outside the project. It gets every record first, so that the journal has nothing that its copy lacks: a run
 * killed in between leaves a copy that is one record ahead.
 */
export class JournalCopy {
  readonly #path: string;
  readonly #file: FileHandle;
  /** The bytes that the journal has, too. */
  #length: number;

  private constructor(path: string, file: FileHandle, length: number) {
    this.#path = path;
    this.#file = file;
    this.#length = length;
  }

  static async open(path: string): Promise<JournalCopy> {
    try {
      const file = await open(path, "a", 0o600);
      return new JournalCopy(path, file, (await file.stat()).size);
    } catch (error) {
      throw writeFault(error, path);
    }
  }

  async append(bytes: Uint8Array): Promise<void> {
    try {
      writeFully(this.#file.fd, bytes);
      await this.#file.datasync();
    } catch (error) {
      await this.takeBack();
      throw writeFault(error, this.#path);
    }
  }

  confirm(bytes: Uint8Array): void {
    this.#length += bytes.length;
  }

  /** For a record that the journal could not take. */
  async takeBack(): Promise<void> {
    await this.#file.truncate(this.#length).catch(() => {}); // otherwise the next open gives the record to the journal
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
