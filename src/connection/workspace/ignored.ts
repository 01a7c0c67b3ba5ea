import { type BigIntStats, constants } from "node:fs";
import { copyFile, mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { jsonIn } from "../../model/json.ts";
import type { IgnoredChange } from "../ports/workspace.ts";
import { errorCode } from "../stores/files/faults.ts";
import { EmptyDirectory, emptyDirectories } from "./empty-directories.ts";
import { OURS, stampAt, stampOf, statOf, walk } from "./file-stamps.ts";
import type { Repository } from "./repository.ts";

/** What a file was at the start. A small one has a copy, because it may change. */
const IgnoredFile = z.object({ stamp: z.string(), bytes: z.number(), copy: z.string().optional() });
type IgnoredFile = z.infer<typeof IgnoredFile>;
const Manifest = z.record(z.string(), IgnoredFile);
type Manifest = z.infer<typeof Manifest>;

const LARGEST_COPY = 256 * 1024;
const MOST_COPIED = 16 * 1024 * 1024;
/** Among more files than this, installed packages are not copied: thousands of copies take seconds. */
const FEW_FILES = 1000;
const INSTALLED = /(^|\/)(node_modules|\.venv|venv|vendor|target)\//;

/** What snapshots do not hold, as it was when a task began: the files that git ignores, and empty directories. */
export class IgnoredFiles {
  readonly #repository: Repository;
  readonly #folder: string;
  readonly #others: () => Promise<string[]>;

  /** `folder`: where the list and the copies are kept. `others`: files that snapshots leave out, which are treated the same. */
  constructor(repository: Repository, folder: string, others: () => Promise<string[]>) {
    this.#repository = repository;
    this.#folder = folder;
    this.#others = others;
  }

  /** Once a task: a resumed run keeps the first list. */
  async keep(): Promise<void> {
    if (await this.#manifest()) return;
    const manifest: Manifest = {};
    let room = MOST_COPIED;
    await mkdir(this.#folder, { recursive: true });
    const directories = await emptyDirectories(this.#repository, await this.#entries());
    await writeFile(join(this.#folder, DIRECTORIES), JSON.stringify(directories), { mode: 0o600 });
    const all = await this.#list();
    for (const [path, stats] of all) {
      const bytes = Number(stats.size);
      const isWorthIt = all.size <= FEW_FILES || !INSTALLED.test(path);
      const isKept = isWorthIt && stats.isFile() && bytes <= LARGEST_COPY && bytes <= room;
      const copy = isKept ? await this.#copied(path, Object.keys(manifest).length) : undefined;
      if (copy !== undefined) room -= bytes;
      manifest[path] = { stamp: stampOf(stats), bytes, ...(copy !== undefined && { copy }) };
    }
    await this.#save(manifest);
  }

  async changes(): Promise<IgnoredChange[]> {
    const before = (await this.#manifest()) ?? {};
    const now = new Map([...(await this.#list())].map(([path, stats]) => [path, stampOf(stats)]));
    const paths = [...new Set([...Object.keys(before), ...now.keys()])].sort();
    return paths.flatMap((path): IgnoredChange[] => {
      const [then, current] = [before[path]?.stamp, now.get(path)];
      if (then === current) return [];
      if (then === undefined) return [{ path, status: "added" }];
      return [{ path, status: current === undefined ? "deleted" : "modified" }];
    });
  }

  /** By the time of the last change, which no program can set. */
  async written(since: Date): Promise<string[]> {
    const all = [...(await this.#list())];
    return all.filter(([, { ctimeMs }]) => Number(ctimeMs) >= since.getTime()).map(([path]) => path);
  }

  /** The files of the start, by their paths. */
  async atStart(): Promise<readonly [path: string, was: IgnoredFile][]> {
    return Object.entries((await this.#manifest()) ?? {});
  }

  /** The empty directories of the start. */
  async directoriesAtStart(): Promise<readonly EmptyDirectory[]> {
    const text = await readFile(join(this.#folder, DIRECTORIES), "utf8").catch(() => "");
    return z.array(EmptyDirectory).safeParse(jsonIn(text)).data ?? [];
  }

  /** Copies a file of the start into a room. A changed one comes from its copy, or not at all. */
  async copyTo(root: string, path: string, { stamp, copy }: IgnoredFile): Promise<void> {
    const source = join(this.#repository.top, path);
    const isSame = stampAt(source) === stamp;
    if (!isSame && copy === undefined) return;
    await duplicate(isSame ? source : join(this.#folder, copy ?? ""), join(root, path));
  }

  async #copied(path: string, number: number): Promise<string | undefined> {
    const name = String(number);
    return copyFile(join(this.#repository.top, path), join(this.#folder, name)).then(
      () => name,
      () => undefined,
    );
  }

  async #list(): Promise<Map<string, BigIntStats>> {
    const found = new Map<string, BigIntStats>();
    const others = (await this.#others()).map((name) => Buffer.from(name, "latin1").toString());
    for (const entry of [...(await this.#entries()), ...others].filter((one) => one !== "" && !OURS.test(one)))
      await walk(this.#repository.top, entry.replace(/\/$/, ""), found);
    return found;
  }

  /** Files, and directories with a slash at their end. */
  async #entries(): Promise<string[]> {
    return (await this.#repository.git(LISTING)).output.split("\0");
  }

  async #manifest(): Promise<Manifest | undefined> {
    const text = await readFile(join(this.#folder, LIST), "utf8").catch(() => "");
    return Manifest.safeParse(jsonIn(text)).data;
  }

  async #save(manifest: Manifest): Promise<void> {
    await writeFile(join(this.#folder, LIST), JSON.stringify(manifest), { mode: 0o600 });
  }
}

const LISTING = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
const LIST = "list.json";
const DIRECTORIES = "directories.json";

/** A file that is gone meanwhile is left out. Never a hard link: a check that writes into it would change the user's file. */
export async function duplicate(source: string, target: string): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
    if (statOf(source)?.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyFile(source, target, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!["ENOENT", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) throw error;
  }
}
