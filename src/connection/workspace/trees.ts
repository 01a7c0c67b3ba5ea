import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { appendFile, copyFile, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { namedCommit } from "../git/commits.ts";
import { gitPath } from "../git/own-files.ts";
import { askGit, type GitAnswer, unlockIndex } from "../processes/git.ts";
import { errorCode, problemOf } from "../stores/files/faults.ts";
import { knownFolder, lookOf, rememberFolder } from "./folder-looks.ts";
import { type Moved, moveFiles } from "./moving.ts";
import type { PinnedStore } from "./pinned-store.ts";
import { isPrivate } from "./project-files.ts";
import type { Repository } from "./repository.ts";

/** At most so many files and bytes that git does not track yet are kept: a data set must not be copied. */
interface Bounds {
  files: number;
  bytes: number;
}

const TRACKED: Bounds = { files: 20_000, bytes: 64 * 1024 * 1024 };
/** A folder without git has no tracked files: all of them are new. */
const UNTRACKED: Bounds = { files: 60_000, bytes: 512 * 1024 * 1024 };

export type Tree = { tree: string } | { problem: string };

/**
 * Writes the files as tree objects, without those that git ignores. Uses an index of its own, which starts as a copy of the user's;
 * branches, HEAD and the user's index stay as they are. Files of repositories inside this one are kept like all others.
 */
export class Trees {
  readonly #repository: Repository;
  readonly #store: PinnedStore;
  readonly #index: string;
  /** The tree that the index holds, where this process has written it. */
  #written: string | undefined;
  /** What the files of a folder without git looked like then. */
  #look: string | undefined;
  /** The index of a task before, which knows the same files: ours begins as a copy of it. */
  #seed: string | undefined;
  /** Names as git gives them. */
  readonly #never = new Set<string>();

  constructor(repository: Repository, store: PinnedStore, index: string) {
    this.#repository = repository;
    this.#store = store;
    this.#index = index;
  }

  /** The second time with a new index. */
  async write(): Promise<Tree> {
    const first = await this.#attempt({ copies: true });
    return "tree" in first ? first : this.#attempt({ copies: false });
  }

  /** Names of files that are not kept: too many, too large, or not readable. */
  async leftOut(): Promise<string[]> {
    const list = `${this.#index}.left-out`;
    const text = existsSync(list) ? await readFile(list, "latin1").catch(() => "") : "";
    return text.split("\0").filter((name) => name !== "" && !isPrivate(name));
  }

  /** The same by their reason. `named`: the names for people. */
  async leftOutByReason(
    named: (names: readonly string[]) => string[],
  ): Promise<{ left_out?: string[]; unreadable?: string[] }> {
    const names = await this.leftOut();
    const unreadable = names.filter((name) => sizeAt(this.#at(name)) === "unreadable");
    const left_out = names.filter((name) => !unreadable.includes(name));
    return {
      ...(left_out.length > 0 && { left_out: named(left_out) }),
      ...(unreadable.length > 0 && { unreadable: named(unreadable) }),
    };
  }

  /** Keeps a file that git does not know yet out of every tree that this process writes. */
  leaveOut(name: string): void {
    this.#never.add(Buffer.from(name).toString("latin1"));
  }

  /** Another index of the task's own. */
  get otherIndex(): string {
    return `${this.#index}.mixed`;
  }

  /** Makes the files those of another tree. */
  async move(from: string, to: string): Promise<Moved> {
    if (!existsSync(this.#index)) await this.#ask(true); // what looked the same needed none
    this.#written = undefined;
    const { top } = this.#repository;
    return moveFiles(this.#store, { top, from, to, index: this.#index, spare: this.otherIndex });
  }

  /** Undoes a move that has failed. */
  async moveBack(to: string): Promise<void> {
    this.#written = undefined;
    await this.#git(["read-tree", "--reset", "-u", to]);
  }

  #git(args: readonly string[], stdin?: string): Promise<GitAnswer> {
    return this.#store.git(args, { index: this.#index, encoding: "latin1", ...(stdin !== undefined && { stdin }) });
  }

  /** Undoes a failed attempt by removing the index. */
  async #attempt({ copies }: { copies: boolean }): Promise<Tree> {
    try {
      const tree = await this.#write(copies);
      if ("tree" in tree) return tree;
      await rm(this.#index, { force: true });
      return tree;
    } catch (error) {
      return { problem: problemOf(error) }; // the folder of the index cannot be written
    }
  }

  async #write(copies: boolean): Promise<Tree> {
    await unlockIndex(this.#index);
    const look = this.#repository.isUsers ? undefined : lookOf(this.#repository.top);
    const known = look === undefined ? undefined : await this.#knownAs(look);
    if (known !== undefined) return { tree: known };
    const tree = await this.#ask(copies);
    if (look !== undefined && "tree" in tree) await this.#remember(look, tree.tree);
    return tree;
  }

  /** The tree of files that look the same to this task, or to one before it. */
  async #knownAs(look: string): Promise<string | undefined> {
    if (this.#look === look && this.#written !== undefined) return this.#written;
    const { top, folders } = this.#repository;
    const before = existsSync(this.#index) || this.#never.size > 0 ? undefined : knownFolder(top);
    if (before?.look !== look || before.settings !== (await this.#store.settings())) return undefined;
    if (!folders || !namedCommit(folders, before.tree)) return undefined; // nothing keeps its objects any more
    [this.#look, this.#written, this.#seed] = [look, before.tree, before.index];
    return before.tree;
  }

  async #remember(look: string, tree: string): Promise<void> {
    this.#look = look;
    const settings = await this.#store.settings();
    const isWhole = this.#never.size === 0 && !existsSync(`${this.#index}.left-out`);
    if (settings !== undefined && isWhole)
      rememberFolder(this.#repository.top, { look, settings, tree, index: this.#index });
  }

  /** Asks git. */
  async #ask(copies: boolean): Promise<Tree> {
    const isNew = !existsSync(this.#index);
    if (isNew) this.#written = undefined;
    if (isNew && this.#repository.isUsers) await this.#begin(copies);
    if (isNew && copies && this.#seed !== undefined && existsSync(this.#seed)) await copyFile(this.#seed, this.#index);
    const listed = await this.#git(LISTING);
    if (listed.exit_code !== 0) return { problem: listed.problem };
    const paths = await this.#toUpdate(listed.output);
    if (paths.length === 0 && this.#written !== undefined) return { tree: this.#written };
    this.#written = undefined;
    if (paths.length > 0) {
      const updated = await this.#git(UPDATE, paths.join("\0"));
      if (updated.exit_code !== 0) return { problem: updated.problem };
    }
    const { exit_code, output, problem } = await this.#git(["write-tree", "--missing-ok"]); // a partial clone lacks objects
    if (exit_code !== 0) return { problem };
    this.#written = output.trim();
    return { tree: this.#written };
  }

  /** With the user's index come the time stamps by which git knows what it need not read. */
  async #begin(copies: boolean): Promise<void> {
    const { top, folders, git } = this.#repository;
    const path = folders
      ? gitPath(folders, "index")
      : resolve(top, (await git(["rev-parse", "--git-path", "index"])).output.trim());
    if (copies && existsSync(path)) await copyFile(path, this.#index);
    else await git(["read-tree", "HEAD"], { index: this.#index });
    await this.#unhide();
  }

  /** Files that the user's index calls unchanged without looking are looked at, and submodules become directories. */
  async #unhide(): Promise<void> {
    const { output } = await this.#git(["ls-files", "-z", "-v", "--stage"]);
    const entries = output.split("\0").flatMap((line) => {
      const [, tag = "", mode = "", path = ""] = /^(.) (\d+) \S+ \d\t(.*)$/s.exec(line) ?? [];
      return path === "" ? [] : [{ tag, mode, path }];
    });
    const change = async (option: string, paths: readonly string[]) => {
      if (paths.length > 0) await this.#git(["update-index", "-z", option, "--stdin"], paths.join("\0"));
    };
    const pathsOf = (isMeant: (entry: (typeof entries)[number]) => boolean) =>
      entries.filter(isMeant).map(({ path }) => path);
    await change(
      "--no-assume-unchanged",
      pathsOf(({ tag }) => tag !== tag.toUpperCase()),
    );
    await change(
      "--no-skip-worktree",
      pathsOf(({ tag, path }) => tag.toUpperCase() === "S" && sizeAt(this.#at(path)) !== undefined),
    );
    await change(
      "--force-remove",
      pathsOf(({ mode, path }) => mode === LINK_TO_COMMIT && existsSync(this.#at(`${path}/.git`))),
    );
  }

  /** What has changed and may be kept. Files that were once left out stay so: they would seem new. */
  async #toUpdate(listed: string): Promise<string[]> {
    const entries = listed.split("\0").filter(Boolean);
    const namesOf = (isNew: boolean) =>
      entries.filter((entry) => entry.startsWith("?") === isNew).map((entry) => entry.slice(2));
    const before = new Set(await this.leftOut());
    const isPresent = (name: string) => sizeAt(this.#at(name)) !== "unreadable";
    const changed = [...new Set(namesOf(false))].filter(isPresent);
    const added = (await Promise.all(namesOf(true).map((name) => this.#within(name)))).flat();
    const { paths, others } = await this.#storable(added.filter((name) => !before.has(name) && !this.#never.has(name)));
    if (others.length > 0) await appendFile(`${this.#index}.left-out`, `${others.join("\0")}\0`, "latin1");
    return [...changed, ...paths];
  }

  /** Git lists a repository inside this one as a directory: its files, by its own rules. */
  async #within(name: string): Promise<string[]> {
    if (!name.endsWith("/") || isPrivate(name)) return [name];
    const directory = join(this.#repository.top, Buffer.from(name, "latin1").toString());
    const listed = await askGit(INNER_LISTING, { directory, encoding: "latin1" });
    const names = listed.exit_code === 0 ? listed.output.split("\0").filter(Boolean) : [];
    const isInner = (inner: string) => inner.endsWith("/") || existsSync(this.#at(`${name}${inner}/.git`));
    const all = names.map((inner) => `${name}${isInner(inner) ? `${inner.replace(/\/$/, "")}/` : inner}`);
    return (await Promise.all(all.map((inner) => this.#within(inner)))).flat();
  }

  async #storable(names: readonly string[]): Promise<{ paths: string[]; others: string[] }> {
    const { files: most, bytes } = this.#repository.isUsers ? TRACKED : UNTRACKED;
    const paths: string[] = [];
    const others: string[] = [];
    let left = bytes;
    for (const [count, name] of names.entries()) {
      if (count % 128 === 127) await setImmediate(); // lets other work run in between
      const size = isPrivate(name) ? undefined : sizeAt(this.#at(name));
      const fits = typeof size === "number" && size <= left && paths.length < most;
      (fits ? paths : others).push(name);
      if (fits) left -= size;
    }
    return { paths, others };
  }

  #at(name: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.#repository.top}/`), Buffer.from(name, "latin1")]);
  }
}

const LINK_TO_COMMIT = "160000";
const LISTING = [
  ...["ls-files", "-z", "-t", "--modified", "--deleted", "--others"],
  ...["--exclude-standard", "--exclude=node_modules"],
];
const INNER_LISTING = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--exclude=node_modules"];
const UPDATE = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];

/** Undefined where there is no file. */
function sizeAt(path: Buffer): number | "unreadable" | undefined {
  try {
    const found = lstatSync(path);
    if (found.isFile()) accessSync(path, constants.R_OK);
    return found.size;
  } catch (error) {
    return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR" ? undefined : "unreadable";
  }
}
