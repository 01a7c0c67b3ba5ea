import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Digests } from "../../model/digests.ts";
import { E8Error } from "../../model/errors.ts";
import { message } from "../../model/message.ts";
import type { Originals, Workspace } from "../ports/workspace.ts";
import { cacheDirectory } from "../processes/environment.ts";
import { type GitAnswer, unlockIndex } from "../processes/git.ts";
import { writeFault } from "../stores/files/faults.ts";
import { takeLock } from "../stores/files/lock.ts";
import { makeDirectory } from "./empty-directories.ts";
import { statOf } from "./file-stamps.ts";
import { duplicate, type IgnoredFiles } from "./ignored.ts";
import { filesBelow, Inventory, sweep } from "./inventory.ts";
import { keepMatcher } from "./keep-patterns.ts";
import type { PinnedStore } from "./pinned-store.ts";
import type { Repository } from "./repository.ts";
import { hasNoSpace, refuseTooLarge, roomProblem } from "./room-problems.ts";
import { showHistory } from "./room-store.ts";
import { setupDigest } from "./setup-inputs.ts";

/** Outside every project: from inside one, programs would find its files by looking upwards. */
export function roomsDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return join(cacheDirectory(environment), "rooms");
}

/** The clean room of a checkout. */
export function roomOf(top: string): string {
  return join(roomsDirectory(), createHash("sha256").update(top).digest("hex").slice(0, 16));
}

/** What prepares a clean checkout, and which ignored files it has. */
export interface RoomSettings {
  setup: readonly string[];
  keep: readonly string[];
}

interface RoomOptions {
  repository: Repository;
  store: PinnedStore;
  ignored: IgnoredFiles;
  /** The working directory, and the project that names are relative to. */
  directory: string;
  project: string;
  task: string;
  settings: RoomSettings;
}

const PATIENCE_SECONDS = 60;
/** A process that a killed run has left may still be writing. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10 };

/** The project's one clean room. It is kept, and moved from commit to commit. */
export class Room {
  readonly #options: RoomOptions;
  readonly #home: string;
  readonly #root: string;
  readonly #inventory: Inventory;
  readonly #isKept: (path: string) => boolean;

  constructor(options: RoomOptions) {
    const { repository, directory, settings } = options;
    this.#options = options;
    this.#home = roomOf(repository.top);
    this.#root = join(this.#home, basename(repository.top) || "project");
    this.#inventory = new Inventory(this.#root, join(this.#home, "inventory.json"));
    this.#isKept = keepMatcher(settings.keep, relative(repository.top, directory));
  }

  async checkout(commit: string, toolchain: Digests): ReturnType<Workspace["checkout"]> {
    const { repository, directory } = this.#options;
    const failed = async (error: unknown) => ({
      problem: await roomProblem(error, { home: this.#home, path: this.#root }),
    });
    const lock = await this.#lock().catch(failed);
    if (!lock) return { problem: message("room_taken", {}) };
    if ("problem" in lock) return lock;
    try {
      const setup = await this.#moveTo(commit, toolchain);
      const temporary = join(this.#home, "tmp");
      const release = async () => {
        await rm(temporary, { recursive: true, force: true }).catch(() => {});
        await lock.release();
      };
      return {
        directory: join(this.#root, relative(repository.top, directory)),
        root: this.#root,
        stands_for: repository.top,
        needs_setup: setup.isNeeded,
        prepared: () => this.#prepared(commit, setup.digest).catch((error) => this.#fail(error)),
        putBack: (originals) => this.#putBack(originals),
        add: (paths) => this.#add(paths),
        verifySpace: () => this.#verifySpace(),
        origin: this.#at("objects"),
        temporary,
        release,
      };
    } catch (error) {
      const problem = await failed(error);
      await rm(this.#root, REMOVAL).catch(() => {});
      await lock.release();
      return problem;
    }
  }

  async remove(): Promise<void> {
    if (!existsSync(this.#home)) return;
    const taken = await takeLock(join(this.#home, "lock"), { id: this.#options.task }).catch(() => undefined);
    if (!taken || "rival" in taken) return;
    await taken.release();
    await rm(this.#home, { recursive: true, force: true });
  }

  /** Whether setup makes this ignored file, so that the workspace's own is not used. */
  isMadeBySetup(path: string): boolean {
    return this.#options.settings.setup.length > 0 && this.#isKept(path);
  }

  async #lock() {
    await mkdir(this.#home, { recursive: true, mode: 0o700 });
    for (let waited = 0; waited < PATIENCE_SECONDS; waited += 1) {
      const taken = await takeLock(join(this.#home, "lock"), { id: this.#options.task });
      if (!("rival" in taken)) return taken;
      await sleep(1000);
    }
    return undefined;
  }

  #at(name: "ready" | "index" | "objects"): string {
    return join(this.#home, name);
  }

  #git(args: readonly string[]): Promise<GitAnswer> {
    return this.#options.store.git(args, { work_tree: this.#root, index: this.#at("index") });
  }

  /** A room that a killed run has left half moved, or half set up, has no mark and is made anew. */
  async #moveTo(commit: string, toolchain: Digests): Promise<{ isNeeded: boolean; digest: string | null }> {
    const [mark, index] = [this.#at("ready"), this.#at("index")];
    const isWhole = existsSync(mark) && existsSync(this.#root);
    await rm(mark, { force: true });
    await unlockIndex(index);
    if (!isWhole) for (const path of [this.#root, index]) await rm(path, REMOVAL);
    await mkdir(this.#root, { recursive: true });
    await rm(join(this.#root, ".git"), { recursive: true, force: true });
    await this.#reset(commit);
    const listing = (await this.#git(["ls-files", "-z", "--stage"])).output;
    const digest = this.#digest(toolchain, listing);
    await this.#clear(listing, digest);
    await this.#dropBytecode(pathsIn(listing));
    await this.#bring();
    const { repository, store } = this.#options;
    const shown = { root: this.#root, snapshot: commit, index, objects: this.#at("objects") };
    if (repository.isUsers) await showHistory(repository, store, shown);
    const isNeeded = this.#options.settings.setup.length > 0 && this.#inventory.setup === null;
    await this.#inventory.save();
    if (!isNeeded) await writeFile(mark, commit);
    return { isNeeded, digest };
  }

  async #reset(commit: string): Promise<void> {
    const moved = await this.#git(["read-tree", "--reset", "-u", commit]);
    if (moved.exit_code !== 0) throw new Error(moved.problem || `git read-tree ${commit}`);
  }

  /** Bytecode may be of another source than the one beside it, and Python makes it anew. */
  async #dropBytecode(tracked: ReadonlySet<string>): Promise<void> {
    const paths = [...tracked].filter((path) => /(^|\/)__pycache__\/[^/]+\.pyc$/.test(path));
    await inSlices(paths, (path) => rm(join(this.#root, path), { force: true }));
  }

  #digest(toolchain: Digests, listing: string): string | null {
    const { setup, keep } = this.#options.settings;
    return setup.length > 0 ? setupDigest({ commands: setup, keep, toolchain }, listing) : null;
  }

  /** Removes everything but the commit's files and what may stay from the last time. */
  async #clear(listing: string, digest: string | null): Promise<void> {
    await this.#inventory.load();
    this.#inventory.verify(digest);
    const wanted = new Set((await this.#wanted()).map(([path]) => path));
    for (const path of this.#inventory.copies()) if (!wanted.has(path)) this.#inventory.drop(path);
    const tracked = pathsIn(listing);
    await sweep(this.#root, (path) => tracked.has(path) || this.#inventory.has(path));
  }

  async #wanted() {
    return (await this.#options.ignored.atStart()).filter(([path]) => this.#isWanted(path));
  }

  /** With `setup`, what it makes is not brought; without it, `keep` says what is, by default everything. */
  #isWanted(path: string): boolean {
    const { setup, keep } = this.#options.settings;
    return keep.length === 0 || this.#isKept(path) === (setup.length === 0);
  }

  async #bring(): Promise<void> {
    const wanted = await this.#wanted();
    const bytes = wanted.reduce((sum, [, was]) => sum + was.bytes, 0);
    refuseTooLarge(bytes);
    const missing = wanted.filter(([path, { stamp }]) => !this.#inventory.isCopy(path, stamp));
    await inSlices(missing, async ([path, was]) => {
      if (statOf(join(this.#root, path)) || leadsOut(this.#root, path)) return;
      await this.#options.ignored.copyTo(this.#root, path, was);
      this.#inventory.add(path, was.stamp);
    });
    for (const { path, is_ignored } of await this.#options.ignored.directoriesAtStart())
      if ((!is_ignored || this.#isWanted(path)) && !leadsOut(this.#root, path)) makeDirectory(join(this.#root, path));
  }

  /** The room's index follows, so that the next move sees what is different. */
  async #putBack({ commit, paths }: Originals): Promise<void> {
    const { repository, project } = this.#options;
    for (const name of paths) {
      const path = relative(repository.top, resolve(project, name));
      const back = await this.#git(["--literal-pathspecs", "checkout", "-f", commit, "--", path]);
      if (back.exit_code === 0) continue;
      await this.#verifySpace();
      await rm(join(this.#root, path), { recursive: true, force: true });
      await this.#git(["--literal-pathspecs", "rm", "--cached", "-q", "--ignore-unmatch", "--", path]);
    }
  }

  async #add(paths: readonly string[]): Promise<void> {
    const { repository, project } = this.#options;
    await inSlices(paths, async (name) => {
      const source = resolve(project, name);
      const path = relative(repository.top, source);
      if (leadsOut(this.#root, path)) return;
      await rm(join(this.#root, path), { recursive: true, force: true });
      await duplicate(source, join(this.#root, path));
    }).catch((error) => this.#fail(error));
  }

  async #verifySpace(): Promise<void> {
    if (await hasNoSpace(this.#home)) await this.#fail();
  }

  /** The room is not used again, and gives back what it takes of the disk. */
  async #fail(error?: unknown): Promise<never> {
    const isFull = await hasNoSpace(this.#home);
    for (const path of [this.#at("ready"), this.#root]) await rm(path, REMOVAL).catch(() => {});
    throw isFull ? new E8Error("disk_full", { path: this.#root }) : writeFault(error, this.#root);
  }

  /**
   * Where `setup` made more than `keep` names, it has to run each time: the rest does not stay. Files of the commit are put back,
   * because the work has a say in what `setup` does.
   */
  async #prepared(commit: string, digest: string | null): Promise<void> {
    await this.#reset(commit);
    const tracked = pathsIn((await this.#git(["ls-files", "-z", "--stage"])).output);
    await this.#dropBytecode(tracked);
    let staysWhole = true;
    for await (const path of filesBelow(this.#root)) {
      if (tracked.has(path) || path.startsWith(".git/") || this.#inventory.isAsPut(path)) continue;
      if (this.#isKept(path)) this.#inventory.add(path, null);
      else staysWhole = false;
    }
    this.#inventory.setup = staysWhole ? digest : null;
    await this.#inventory.save();
    await writeFile(this.#at("ready"), commit);
  }
}

/** Of lines as `git ls-files --stage -z` gives them. */
function pathsIn(listing: string): Set<string> {
  return new Set(listing.split("\0").map((line) => line.slice(line.indexOf("\t") + 1)));
}

const AT_ONCE = 16;

async function inSlices<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map(each));
}

/** Whether one of the directories above is a link: what is written there would land outside the room. */
function leadsOut(root: string, path: string): boolean {
  const parts = path.split("/").slice(0, -1);
  return parts.some((_, index) => statOf(join(root, ...parts.slice(0, index + 1)))?.isSymbolicLink() ?? false);
}
