import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { jsonIn } from "../../model/json.ts";
import { stampAt } from "./file-stamps.ts";

/** What a file in the room was when it was put there, and the stamp of the file that it is a copy of; null where `setup` made it. */
const Entry = z.object({ stamp: z.string(), of: z.string().nullable() });
const Stored = z.object({
  /** The digest of what `setup` was run with. */
  setup: z.string().nullable(),
  files: z.record(z.string(), Entry),
});
type Stored = z.infer<typeof Stored>;

/**
 * The files of a room that are not in its commit: copies of ignored files, and what `setup` made. They stay from proof to proof
 * as long as no check has touched them.
 */
export class Inventory {
  readonly #root: string;
  readonly #file: string;
  #stored: Stored = { setup: null, files: {} };

  constructor(root: string, file: string) {
    this.#root = root;
    this.#file = file;
  }

  async load(): Promise<void> {
    const text = await readFile(this.#file, "utf8").catch(() => "");
    this.#stored = Stored.safeParse(jsonIn(text)).data ?? { setup: null, files: {} };
  }

  async save(): Promise<void> {
    await writeFile(this.#file, JSON.stringify(this.#stored), { mode: 0o600 });
  }

  /** Drops the files that are not as they were put. All of them, unless what `setup` made is whole and made with the same inputs. */
  verify(setup: string | null): void {
    const { files } = this.#stored;
    const entries = Object.entries(files);
    const changed = entries.filter(([path]) => !this.isAsPut(path));
    const isWhole = this.#stored.setup === setup && changed.every(([, { of }]) => of !== null);
    if (!isWhole) this.#stored = { setup: null, files: {} };
    else for (const [path] of changed) delete files[path];
  }

  get setup(): string | null {
    return this.#stored.setup;
  }

  /** `setup` has made what it makes. Null: it has to run each time. */
  set setup(digest: string | null) {
    this.#stored.setup = digest;
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#stored.files, path);
  }

  isAsPut(path: string): boolean {
    return this.has(path) && stampAt(join(this.#root, path)) === this.#stored.files[path]?.stamp;
  }

  /** Whether the room's file is a copy of the one with this stamp. */
  isCopy(path: string, of: string): boolean {
    return this.has(path) && this.#stored.files[path]?.of === of;
  }

  /** Lists a file that is in the room now. */
  add(path: string, of: string | null): void {
    const stamp = stampAt(join(this.#root, path));
    if (stamp !== undefined) this.#stored.files[path] = { stamp, of };
  }

  drop(path: string): void {
    delete this.#stored.files[path];
  }

  copies(): string[] {
    return Object.entries(this.#stored.files).flatMap(([path, { of }]) => (of === null ? [] : [path]));
  }
}

/** The files below a directory, with links; nothing is followed. */
export async function* filesBelow(root: string, directory = ""): AsyncGenerator<string> {
  await setImmediate();
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else yield path;
  }
}

/** Removes all files but those that stay, and the folders that are empty then. Returns whether anything is left. */
export async function sweep(root: string, stays: (path: string) => boolean, directory = ""): Promise<boolean> {
  await setImmediate();
  let isEmpty = true;
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    const isLeft = entry.isDirectory() ? await sweep(root, stays, path) : stays(path);
    if (isLeft) isEmpty = false;
    else if (!entry.isDirectory()) rmSync(join(root, path), { force: true });
  }
  if (isEmpty && directory !== "") rmdirSync(join(root, directory));
  return !isEmpty;
}
