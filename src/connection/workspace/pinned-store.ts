import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { gitPath } from "../git/own-files.ts";
import { askGit, type GitAnswer } from "../processes/git.ts";
import { stampAt } from "./file-stamps.ts";
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
 * What goes into it is noted in one file; the directory is made when git is first asked, which a task without changes never does.
 */
export class PinnedStore {
  readonly #repository: Repository;
  readonly #path: string;
  readonly #note: string;
  #opened: Promise<Opened> | undefined;

  constructor(repository: Repository, path: string) {
    this.#repository = repository;
    this.#path = path;
    this.#note = `${path}.json`;
  }

  /** Git for everything that reads or writes the files of a directory. */
  async git(args: readonly string[], { work_tree, ...call }: FilesCall): Promise<GitAnswer> {
    const { top } = this.#repository;
    const { objects } = await this.#directory();
    const directory = work_tree ?? top;
    return askGit([...QUIET, "--git-dir", this.#path, "--work-tree", directory, ...args], {
      directory,
      environment: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      timeout_seconds: TIMEOUT_SECONDS,
      objects,
      ...call,
    });
  }

  /** The settings and lists by which contents become objects. Undefined where an earlier process has noted them. */
  async settings(): Promise<string | undefined> {
    return (await this.#open()).settings;
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
    const { objects } = await this.#directory();
    await rm(link, { recursive: true, force: true });
    await symlink(objects, link);
    await mkdir(join(path, "objects", "info"), { recursive: true });
    await mkdir(join(path, "refs"), { recursive: true });
    await mkdir(join(path, "info"), { recursive: true });
    await writeFile(join(path, "objects", "info", "alternates"), `${link}\n`);
    await writeFile(join(path, "HEAD"), "ref: refs/heads/main\n");
    copyIfThere(join(this.#path, "shown-config"), join(path, "config"));
    for (const name of [...INFO, "shallow"]) copyIfThere(join(this.#path, name), join(path, name));
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#find();
    return this.#opened;
  }

  /** Has the git directory there. */
  async #directory(): Promise<Opened> {
    const opened = await this.#open();
    if (opened.files) this.#make(opened.files);
    opened.files = undefined;
    return opened;
  }

  async #find(): Promise<Opened> {
    const isMade = existsSync(this.#head);
    const noted = isMade ? undefined : notedIn(this.#note);
    const [located, listed] = await Promise.all([
      this.#locate(["objects", ...INFO, "shallow"]),
      isMade || noted ? undefined : listedSettings(this.#repository),
    ]);
    const [common = "", objects = "", ...others] = located;
    if (listed === undefined) return { objects, files: noted, settings: undefined };
    return { objects, ...this.#pin(settingsIn(listed), { common, others }) };
  }

  /** What the repository's worktrees share, and the files of these names. */
  async #locate(names: readonly string[]): Promise<string[]> {
    const { folders, git } = this.#repository;
    if (folders) return [folders.common, ...names.map((name) => gitPath(folders, name))];
    const words = names.flatMap((name) => ["--git-path", name]);
    const { output } = await git(["rev-parse", "--path-format=absolute", "--git-common-dir", ...words]);
    return output.split("\n").slice(0, names.length + 1);
  }

  /** `others`: where the repository's own files of the same names are. Returns, too, all that matters for the files. */
  #pin(settings: readonly GitSetting[], { common, others }: { common: string; others: readonly string[] }) {
    const lists = { attributes: "core.attributesfile", ignore: "core.excludesfile" };
    const sources = [
      ...[...INFO, "shallow"].map((name, place) => [name, others[place]] as const),
      ...Object.entries(lists).map(
        ([name, key]) => [name, filePath(settings, key) ?? join(userSettings(), name)] as const,
      ),
    ];
    const copies = sources.map(([name, from]) => [name, textIfThere(from)] as const);
    const chosen = [...settings.filter(isForFiles), ...largeFiles(settings, common)];
    const own = [
      { key: "core.attributesfile", value: join(this.#path, "attributes") },
      { key: "core.excludesfile", value: join(this.#path, "ignore") },
    ];
    const files = {
      ...Object.fromEntries(copies.filter(([, text]) => text !== undefined)),
      config: inBytes(configText([...chosen, ...own])),
      "shown-config": inBytes(configText(settings.filter(isShown))),
    } as Files;
    mkdirSync(dirname(this.#note), { recursive: true });
    writeFileSync(this.#note, JSON.stringify(files), { mode: 0o600 });
    return { files, settings: [configText(chosen), ...copies.map(([, text = ""]) => text)].join("\0") };
  }

  #make(files: Files): void {
    const path = this.#path;
    if (existsSync(path)) rmSync(path, { recursive: true, force: true });
    mkdirSync(join(path, "objects"), { recursive: true, mode: 0o700 });
    for (const name of ["refs", "info"]) mkdirSync(join(path, name));
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(path, name), text, { encoding: "latin1", mode: 0o600 });
    writeFileSync(this.#head, "ref: refs/heads/main\n"); // last: without it, all is made anew
  }

  get #head(): string {
    return join(this.#path, "HEAD");
  }
}

interface Opened {
  /** Where the objects are. */
  objects: string;
  settings: string | undefined;
  /** What the git directory is to be made of, until it is there. */
  files: Files | undefined;
}

/** Files of the git directory and what is in them, each character a byte. */
type Files = Readonly<Record<string, string>>;

/** Undefined where nothing was noted, or a power cut tore it. */
function notedIn(path: string): Files | undefined {
  try {
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Files) : undefined;
  } catch {
    return undefined;
  }
}

function inBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

const INFO = ["info/attributes", "info/exclude", "info/sparse-checkout"];

function userSettings(): string {
  return join(process.env.XDG_CONFIG_HOME || join(process.env.HOME || homedir(), ".config"), "git");
}

function textIfThere(path: string | undefined): string | undefined {
  return path === undefined || !existsSync(path) ? undefined : readFileSync(path, "latin1");
}

function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to);
}

interface Listed {
  at: number;
  stamps: string;
  output: Promise<string>;
}

/** What git said of its settings, by folder without git. */
const listings = new Map<string, Listed>();
/** Settings may also come from files that only git knows of. */
const LISTED_MILLISECONDS = 2000;

/** Tasks that begin one after the other in a folder ask git once, unless one of its files has changed. */
function listedSettings({ top, isUsers, folders, git }: Repository): Promise<string> {
  const ask = async () => (await git(["config", "--list", "-z", "--show-scope"])).output;
  if (isUsers || !folders) return ask();
  const home = process.env.HOME || homedir();
  const files = [join(folders.common, "config"), join(home, ".gitconfig"), join(userSettings(), "config")];
  const stamps = files.map((file) => stampAt(file) ?? "").join("\n");
  const known = listings.get(top);
  if (known && known.stamps === stamps && Date.now() - known.at < LISTED_MILLISECONDS) return known.output;
  const output = ask();
  listings.set(top, { at: Date.now(), stamps, output });
  return output;
}
