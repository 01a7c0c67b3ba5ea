import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { askGit, type GitAnswer } from "../processes/git.ts";
import { configText, filePath, type GitSetting, isForFiles, isShown, largeFiles, settingsIn } from "./git-settings.ts";
import { type GitCall, QUIET, type Repository, TIMEOUT_SECONDS } from "./repository.ts";

export interface FilesCall extends Required<Pick<GitCall, "index">> {
  stdin?: string;
  /** Where the files are; by default the workspace. */
  work_tree?: string;
  encoding?: "latin1";
}

/**
 * A git directory of ours, with the repository's objects and with its settings as they were when the task began: filters and
 * attributes that a worker adds to the repository or to the user's own settings do not run when files are kept or checked out.
 */
export class PinnedStore {
  readonly #repository: Repository;
  readonly #path: string;
  #objects: Promise<string> | undefined;

  constructor(repository: Repository, path: string) {
    this.#repository = repository;
    this.#path = path;
  }

  /** Git for everything that reads or writes the files of a directory. */
  async git(args: readonly string[], { work_tree, ...call }: FilesCall): Promise<GitAnswer> {
    const { top } = this.#repository;
    this.#objects ??= this.#open();
    const objects = await this.#objects;
    const directory = work_tree ?? top;
    return askGit([...QUIET, "--git-dir", this.#path, "--work-tree", directory, ...args], {
      directory,
      environment: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      timeout_seconds: TIMEOUT_SECONDS,
      objects,
      ...call,
    });
  }

  /** Whether a checkout has only some of the files. */
  get isSparse(): boolean {
    return existsSync(join(this.#path, "info", "sparse-checkout"));
  }

  /**
   * Makes the least that git takes for a repository, for commands of a check. It finds the objects through `link`: the checkout may stand
   * at the project's own path, and then the objects stand in the link's place.
   */
  async show(path: string, link: string): Promise<void> {
    this.#objects ??= this.#open();
    await rm(link, { recursive: true, force: true });
    await symlink(await this.#objects, link);
    await mkdir(join(path, "objects", "info"), { recursive: true });
    await mkdir(join(path, "refs"), { recursive: true });
    await mkdir(join(path, "info"), { recursive: true });
    await writeFile(join(path, "objects", "info", "alternates"), `${link}\n`);
    await writeFile(join(path, "HEAD"), "ref: refs/heads/main\n");
    await copyIfThere(join(this.#path, "shown-config"), join(path, "config"));
    for (const name of [...INFO, "shallow"]) await copyIfThere(join(this.#path, name), join(path, name));
  }

  /** Returns where the objects are. */
  async #open(): Promise<string> {
    const isMade = existsSync(join(this.#path, "HEAD"));
    const [located, listed] = await Promise.all([
      this.#locate(["objects", ...INFO, "shallow"]),
      isMade ? undefined : this.#repository.git(["config", "--list", "-z", "--show-scope"]),
    ]);
    const [common = "", objects = "", ...others] = located;
    if (listed) await this.#make(settingsIn(listed.output), { common, others });
    return objects;
  }

  /** What the repository's worktrees share, and the files of these names. In a repository of ours all of them are together. */
  async #locate(names: readonly string[]): Promise<string[]> {
    const { isUsers, folders, git } = this.#repository;
    if (!isUsers && folders) return [folders.common, ...names.map((name) => join(folders.common, name))];
    const words = names.flatMap((name) => ["--git-path", name]);
    const { output } = await git(["rev-parse", "--path-format=absolute", "--git-common-dir", ...words]);
    return output.split("\n").slice(0, names.length + 1);
  }

  /** `others`: where the repository's own files of the same names are. */
  async #make(
    settings: readonly GitSetting[],
    { common, others }: { common: string; others: readonly string[] },
  ): Promise<void> {
    const path = this.#path;
    await rm(path, { recursive: true, force: true });
    await mkdir(join(path, "objects"), { recursive: true, mode: 0o700 });
    await mkdir(join(path, "refs"));
    await mkdir(join(path, "info"));
    for (const [place, name] of [...INFO, "shallow"].entries()) await copyIfThere(others[place], join(path, name));
    const lists = { attributes: "core.attributesfile", ignore: "core.excludesfile" };
    for (const [name, key] of Object.entries(lists))
      await copyIfThere(filePath(settings, key) ?? join(userSettings(), name), join(path, name));
    const own = [
      { key: "core.attributesfile", value: join(path, "attributes") },
      { key: "core.excludesfile", value: join(path, "ignore") },
      ...largeFiles(settings, common),
    ];
    await writeFile(join(path, "config"), configText([...settings.filter(isForFiles), ...own]), { mode: 0o600 });
    await writeFile(join(path, "shown-config"), configText(settings.filter(isShown)), { mode: 0o600 });
    await writeFile(join(path, "HEAD"), "ref: refs/heads/main\n"); // last: without it, all is made anew
  }
}

const INFO = ["info/attributes", "info/exclude", "info/sparse-checkout"];

function userSettings(): string {
  return join(process.env.XDG_CONFIG_HOME || join(process.env.HOME || homedir(), ".config"), "git");
}

async function copyIfThere(from: string | undefined, to: string): Promise<void> {
  if (from !== undefined && existsSync(from)) await copyFile(from, to);
}
