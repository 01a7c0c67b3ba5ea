import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { message } from "../../model/message.ts";
import type { Workspace } from "../ports/workspace.ts";
import { cacheDirectory } from "../processes/environment.ts";
import { takeLock } from "../stores/files/lock.ts";
import type { IgnoredFiles } from "./ignored.ts";
import { gitIn, type Repository } from "./repository.ts";

/** Outside every project: from inside one, programs would find its files by looking upwards. */
export function roomsDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return join(cacheDirectory(environment), "rooms");
}

interface RoomOptions {
  repository: Repository;
  ignored: IgnoredFiles;
  /** The working directory of the project. */
  directory: string;
  task: string;
}

const PATIENCE_SECONDS = 60;

/** The project's one clean room. It is kept, and moved from commit to commit. */
export class Room {
  readonly #options: RoomOptions;
  readonly #home: string;
  readonly #root: string;

  constructor(options: RoomOptions) {
    const { top } = options.repository;
    this.#options = options;
    this.#home = join(roomsDirectory(), createHash("sha256").update(top).digest("hex").slice(0, 16));
    this.#root = join(this.#home, basename(top) || "project");
  }

  async checkout(commit: string): ReturnType<Workspace["checkout"]> {
    const { repository, directory } = this.#options;
    if (existsSync(join(repository.top, ".gitmodules"))) return { problem: message("room_submodules", {}) };
    const lock = await this.#lock().catch(() => undefined);
    if (!lock) return { problem: message("room_taken", {}) };
    try {
      await this.#moveTo(commit);
      const inside = join(this.#root, relative(repository.top, directory));
      return { directory: inside, root: this.#root, stands_for: repository.top, release: lock.release };
    } catch (error) {
      await rm(this.#root, { recursive: true, force: true }).catch(() => {});
      await lock.release();
      return { problem: message("room_failed", { problem: error instanceof Error ? error.message : String(error) }) };
    }
  }

  async remove(): Promise<void> {
    if (!existsSync(this.#home)) return;
    const taken = await takeLock(join(this.#home, "lock"), { id: this.#options.task }).catch(() => undefined);
    if (!taken || "rival" in taken) return;
    await taken.release();
    await rm(this.#home, { recursive: true, force: true });
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

  /** A room that a killed run has left half moved has no mark, and is made anew. */
  async #moveTo(commit: string): Promise<void> {
    const [mark, index, store] = ["ready", "index", "git"].map((name) => join(this.#home, name)) as [
      string,
      string,
      string,
    ];
    const isWhole = existsSync(mark) && existsSync(this.#root);
    await rm(mark, { force: true });
    if (!isWhole)
      for (const path of [this.#root, index, `${index}.lock`, store]) await rm(path, { recursive: true, force: true });
    await mkdir(this.#root, { recursive: true });
    await rm(join(this.#root, ".git"), { recursive: true, force: true });
    await bareStore(store, this.#options.repository);
    const git = gitIn(this.#root, ["--git-dir", store, "--work-tree", this.#root]);
    const moved = await git(["read-tree", "--reset", "-u", commit], { index });
    if (moved.exit_code !== 0) throw new Error(`git read-tree ${commit}`);
    await git(["clean", "-xdffq"], { index });
    await this.#options.ignored.bring(this.#root);
    if (this.#options.repository.isUsers) await showHistory(this.#options.repository, this.#root);
    await writeFile(mark, commit);
  }
}

/** The least that git takes for a repository. Its objects are those of another one. */
async function bareStore(path: string, repository: Repository): Promise<void> {
  const [objects, config] = await Promise.all([pathIn(repository, "objects"), pathIn(repository, "config")]);
  await mkdir(join(path, "objects", "info"), { recursive: true });
  await mkdir(join(path, "refs"), { recursive: true });
  await writeFile(join(path, "objects", "info", "alternates"), `${objects}\n`);
  if (!existsSync(join(path, "HEAD"))) await writeFile(join(path, "HEAD"), "ref: refs/heads/main\n");
  const settings = `[include]\n\tpath = ${JSON.stringify(config)}\n[core]\n\trepositoryformatversion = 0\n\tbare = false\n`;
  await writeFile(join(path, "config"), settings); // line ends and filters are those of the user's repository
}

async function pathIn({ git }: Repository, name: string): Promise<string> {
  const { output } = await git(["rev-parse", "--path-format=absolute", "--git-path", name]);
  return output.replace(/\n$/, "");
}

/** Lets git in a check see the user's branch, tags and last commit, and the work as changes since. */
async function showHistory(repository: Repository, root: string): Promise<void> {
  const { git } = repository;
  const store = join(root, ".git");
  await bareStore(store, repository);
  const [branch, head, refs] = await Promise.all([
    git(["symbolic-ref", "--quiet", "HEAD"]),
    git(["rev-parse", "--verify", "--quiet", "HEAD"]),
    git(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"]),
  ]);
  const at = branch.exit_code === 0 ? `ref: ${branch.output.trim()}` : head.output.trim();
  if (at !== "") await writeFile(join(store, "HEAD"), `${at}\n`);
  await writeFile(join(store, "packed-refs"), `# pack-refs with: \n${refs.output}`);
  if (head.exit_code === 0) await gitIn(root, [])(["read-tree", "HEAD"]);
}
