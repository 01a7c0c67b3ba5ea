import { type BigIntStats, constants, lstatSync, readdirSync } from "node:fs";
import { copyFile, link, mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { jsonIn } from "../../model/json.ts";
import type { IgnoredChange } from "../ports/workspace.ts";
import type { Repository } from "./repository.ts";

/** What a file was at the start. A small one has a copy, because it may change. */
const Entry = z.object({ stamp: z.string(), bytes: z.number(), copy: z.string().optional() });
const Manifest = z.record(z.string(), Entry);
type Manifest = z.infer<typeof Manifest>;

const MOST_FILES = 200_000;
const LARGEST_COPY = 256 * 1024;
const MOST_COPIED = 16 * 1024 * 1024;
/** Among more files than this, installed packages are not copied: thousands of copies take seconds. */
const FEW_FILES = 1000;
const INSTALLED = /(^|\/)(node_modules|\.venv|venv|vendor|target)\//;
/** Beyond this, unchanged files are linked into a room instead of copied. */
const MOST_DUPLICATED = 32 * 1024 * 1024;

/** The files that git ignores, as they were when a task began. */
export class IgnoredFiles {
  readonly #repository: Repository;
  readonly #folder: string;

  /** `folder`: where the list and the copies are kept. */
  constructor(repository: Repository, folder: string) {
    this.#repository = repository;
    this.#folder = folder;
  }

  /** Once a task: a resumed run keeps the first list. */
  async keep(): Promise<void> {
    if (await this.#manifest()) return;
    const manifest: Manifest = {};
    let room = MOST_COPIED;
    await mkdir(this.#folder, { recursive: true });
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

  /** Puts the files of the start into a room. A changed file comes from its copy, or not at all. */
  async bring(root: string): Promise<void> {
    const manifest = (await this.#manifest()) ?? {};
    const total = Object.values(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
    const paths = Object.keys(manifest).filter((path) => !statOf(join(root, path)) && !leadsOut(root, path));
    let isRenewed = false;
    for (const path of paths) {
      const stamp = await this.#put(path, manifest[path], { root, links: total > MOST_DUPLICATED });
      if (stamp === undefined) continue;
      manifest[path] = { bytes: 0, ...manifest[path], stamp };
      isRenewed = true;
    }
    if (isRenewed) await this.#save(manifest);
  }

  /** Returns the file's new stamp where it was linked: a link changes the time of the last change. */
  async #put(
    path: string,
    entry: Manifest[string] | undefined,
    { root, links }: { root: string; links: boolean },
  ): Promise<string | undefined> {
    const [source, target] = [join(this.#repository.top, path), join(root, path)];
    const stats = statOf(source);
    await mkdir(dirname(target), { recursive: true });
    if (stats && stampOf(stats) === entry?.stamp) {
      const now = (await put(source, target, { stats, links })) ? statOf(source) : undefined;
      return now && stampOf(now);
    }
    if (entry?.copy !== undefined) await copyFile(join(this.#folder, entry.copy), target).catch(() => {});
    return undefined;
  }

  async #copied(path: string, number: number): Promise<string | undefined> {
    const name = String(number);
    return copyFile(join(this.#repository.top, path), join(this.#folder, name)).then(
      () => name,
      () => undefined,
    );
  }

  async #list(): Promise<Map<string, BigIntStats>> {
    const { output } = await this.#repository.git(LISTING);
    const found = new Map<string, BigIntStats>();
    for (const entry of output.split("\0").filter((one) => one !== "" && !OURS.test(one)))
      await walk(this.#repository.top, entry.replace(/\/$/, ""), found);
    return found;
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
const OURS = /(^|\/)(\.e8|\.git)(\/|$)/;
const LIST = "list.json";

async function walk(top: string, path: string, found: Map<string, BigIntStats>): Promise<void> {
  if (found.size >= MOST_FILES || OURS.test(path)) return;
  if (found.size % 512 === 511) await setImmediate();
  const stats = statOf(join(top, path));
  if (!stats) return;
  if (!stats.isDirectory()) {
    if (stats.isFile() || stats.isSymbolicLink()) found.set(path, stats);
    return;
  }
  for (const name of namesIn(join(top, path))) await walk(top, `${path}/${name}`, found);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Programs cannot set the time of the last change back. */
function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino, mode].join(" ");
}

/** Whether one of the directories above is a link: what is written there would land outside the room. */
function leadsOut(root: string, path: string): boolean {
  const parts = path.split("/").slice(0, -1);
  return parts.some((_, index) => statOf(join(root, ...parts.slice(0, index + 1)))?.isSymbolicLink() ?? false);
}

/** Returns whether it made a hard link. */
async function put(
  source: string,
  target: string,
  { stats, links }: { stats: BigIntStats; links: boolean },
): Promise<boolean> {
  try {
    if (stats.isSymbolicLink()) {
      await symlink(await readlink(source), target);
      return false;
    }
    if (links) return await link(source, target).then(() => true);
  } catch {
    // another file system: a copy
  }
  await copyFile(source, target, constants.COPYFILE_FICLONE).catch(() => {});
  return false;
}
