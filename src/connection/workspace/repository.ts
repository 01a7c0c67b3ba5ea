import { existsSync, mkdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type GitFolders, gitFoldersIn } from "../git/own-files.ts";
import { askGit, type GitAnswer } from "../processes/git.ts";
import { ensureText } from "../stores/files/durable.ts";
import { isIgnored, isWithin, mayBeInRepository } from "./project-files.ts";

/**
 * Nothing of the user's may run or change: hooks, garbage collection. A warning about line ends must not be an error. A changed file
 * is recognized by all its times.
 */
export const QUIET = [
  "core.hooksPath=/dev/null",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.safecrlf=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.splitIndex=false",
  "core.untrackedCache=false",
].flatMap((setting) => ["-c", setting]);
export const TIMEOUT_SECONDS = 120;

export interface GitCall {
  /** An index of ours in place of the user's. */
  index?: string;
  stdin?: string;
  encoding?: "latin1";
}

/** Where snapshots are kept: the user's own repository, or one of ours for a folder without git. */
export interface Repository {
  /** The directory that a snapshot holds. */
  top: string;
  /** The user's repository has branches, tags and an index that commands in a check may ask about. */
  isUsers: boolean;
  /** Where git keeps what is its own, where that is plain to see. */
  folders: GitFolders | undefined;
  /** For refs, objects and history. What touches files goes through a store with the settings of the start. */
  git(args: readonly string[], call?: GitCall): Promise<GitAnswer>;
}

/** A snapshot has an author, also where the user has set no name. */
const IDENTITY = {
  GIT_AUTHOR_NAME: "endless8",
  GIT_AUTHOR_EMAIL: "endless8@localhost",
  GIT_COMMITTER_NAME: "endless8",
  GIT_COMMITTER_EMAIL: "endless8@localhost",
};

export function gitIn(directory: string, prefix: readonly string[]): Repository["git"] {
  const environment = { ...process.env, ...IDENTITY };
  return (args, call = {}) =>
    askGit([...QUIET, ...prefix, ...args], { directory, environment, timeout_seconds: TIMEOUT_SECONDS, ...call });
}

/** The repository that `directory` is in; one of ours in `fallback` where there is none or it ignores the directory. Undefined without git. */
export async function repositoryOf(directory: string, fallback: string | undefined): Promise<Repository | undefined> {
  if (fallback !== undefined && !mayBeInRepository(directory)) return ownRepository(directory, fallback);
  const [top, ignored] = await Promise.all([
    askGit(["rev-parse", "--show-toplevel"], { directory }),
    isIgnored(directory),
  ]);
  if (top.exit_code === null) return undefined;
  if (top.exit_code === 0 && ignored === false) {
    const path = top.output.replace(/\n$/, "");
    return { top: path, isUsers: true, folders: gitFoldersIn(path), git: gitIn(path, []) };
  }
  return fallback === undefined ? undefined : ownRepository(directory, fallback);
}

/** The directory that snapshots of `directory` hold: the top of the user's repository, or the directory itself. */
export async function topOf(directory: string): Promise<string> {
  if (gitFoldersIn(directory) || !mayBeInRepository(directory)) return directory;
  const { top = directory } = (await repositoryOf(directory, undefined)) ?? {};
  return isWithin(top, directory) ? top : directory; // else it is behind a link
}

/** Whether git knows the file. */
export async function isTracked(file: string): Promise<boolean> {
  const question = ["ls-files", "--error-unmatch", "--", basename(file)];
  return (await askGit(question, { directory: dirname(file) })).exit_code === 0;
}

/** What a folder without git would ignore if it had one. */
const IGNORED = [
  ".e8/",
  ".git/",
  "node_modules/",
  ".venv/",
  "venv/",
  "__pycache__/",
  "*.pyc",
  ".pytest_cache/",
  "*.log",
];

async function ownRepository(top: string, path: string): Promise<Repository | undefined> {
  const git = gitIn(top, ["--git-dir", path, "--work-tree", top]);
  try {
    if (!existsSync(join(path, "HEAD"))) {
      await mkdir(path, { recursive: true });
      const made = await askGit(["init", "--quiet", "--bare", "--template=", path], { directory: top });
      if (made.exit_code !== 0) return undefined;
    }
    ensureText(join(path, ".gitignore"), "*\n"); // the folder may become a repository later
    mkdirSync(join(path, "info"), { recursive: true });
    ensureText(join(path, "info", "exclude"), `${IGNORED.join("\n")}\n`);
    return { top, isUsers: false, folders: { own: path, common: path }, git };
  } catch {
    return undefined; // the folder cannot be written
  }
}
