import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { type Message, message } from "../../model/message.ts";
import type { RemoteAccess } from "../ports/machine-place.ts";
import { askGit, type GitAnswer } from "../processes/git.ts";
import { repositoryAbove } from "../processes/git-settings.ts";
import { processTable } from "../processes/process-table.ts";
import { knownDescent, knownTree, rememberDescent, rememberTree } from "./commits.ts";
import { gitFoldersIn, readCommitText, readHead, readRef } from "./own-files.ts";

/** Nothing of the repository may run unasked: its hooks are programs that a worker can change, and we have the user's credentials. */
const QUIET = ["core.hooksPath=/dev/null", "gc.auto=0", "maintenance.auto=false", "advice.detachedHead=false"];
const TIMEOUT_SECONDS = 600;

export interface Git {
  (args: readonly string[], stdin?: string): Promise<GitAnswer>;
  /** Where it runs. */
  readonly directory: string;
  /** Who commits, as `Name <address>`; empty: as git says. */
  readonly author: string;
}

export interface GitOptions {
  /** Who commits, as `Name <address>`. */
  author?: string | null;
  /** The worktree that it works for, so that a later run can find it. */
  worktree?: string;
  /** In place of this process's own. */
  environment?: Environment | undefined;
  /** For each answer. */
  timeout_seconds?: number | undefined;
}

export function gitAt(directory: string, options: GitOptions = {}): Git {
  const { author, worktree, environment: own = process.env, timeout_seconds = TIMEOUT_SECONDS } = options;
  const settings = [...QUIET, ...authorSettings(author ?? "")].flatMap((setting) => ["-c", setting]);
  const environment = { ...own, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":", GIT_MERGE_AUTOEDIT: "no" };
  const marked = { ...environment, ...(worktree !== undefined && { [WORKS_FOR]: worktree }) };
  const ask = (args: readonly string[], stdin?: string) =>
    unlessInTheWay(() =>
      askGit([...settings, ...args], {
        directory,
        environment: REACHING_OUT.has(args[0] ?? "") ? environment : marked,
        timeout_seconds,
        ...(stdin !== undefined && { stdin }),
      }),
    );
  return Object.assign(ask, { directory, author: author ?? "" });
}

/** Many commands read what git has noted of every worktree, and fail over one that another git is just making or removing. */
const IN_THE_WAY = /failed to read .*worktrees\/.*(commondir|gitdir|HEAD)|bad object worktrees\/.*\/HEAD/;
const RACE_ATTEMPTS = 20;

async function unlessInTheWay(ask: () => Promise<GitAnswer>): Promise<GitAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    const isRace = answer.exit_code !== 0 && IN_THE_WAY.test(answer.said);
    if (!isRace || attempt === RACE_ATTEMPTS) return answer;
    await sleep(PAUSE_MILLISECONDS * attempt);
  }
}

const WORKS_FOR = "ENDLESS8_GIT_FOR";

/** They may leave a helper behind, such as a shared connection, and do not touch the worktree. */
const REACHING_OUT = new Set(["fetch", "push", "ls-remote"]);

/** Waits for the git that a killed run has left at work in a worktree: it is not killed with its run, so that it leaves nothing half done. */
export async function awaitGit(worktree: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += 1) {
    if (processTable().carrying(`${WORKS_FOR}=${worktree}`).size === 0) return;
    await sleep(PAUSE_MILLISECONDS);
  }
}

const PAUSE_MILLISECONDS = 50;
const PATIENCE = 120_000 / PAUSE_MILLISECONDS;

function authorSettings(author: string): string[] {
  const [, name, address] = /^(.+) <(.+)>$/.exec(author) ?? [];
  return name && address ? [`user.name=${name}`, `user.email=${address}`] : [];
}

/** The user's checkout of a repository. */
export interface Checkout {
  /** Its top directory. */
  top: string;
  /** The directory that all worktrees of the repository share. */
  common: string;
  git: Git;
  /** How its remote is reached, where not by the settings of the repository itself. */
  remote?: RemoteAccess | undefined;
}

/** Throws `branch_impossible` where no branch can be made: without git, without a repository, without a commit. */
export async function checkoutOf(directory: string): Promise<Checkout> {
  const known = places.get(directory);
  if (known && isStillThere(directory, known)) return { ...known.place, git: gitAt(known.place.top) };
  const asked = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir", "HEAD^{commit}"];
  const { exit_code, output, said } = await gitAt(directory)(asked);
  if (exit_code === null) throw impossible(message("git_missing", {}));
  const [top = "", common = ""] = output.split("\n");
  if (common === "") throw impossible(message("not_a_repository", { path: directory, said }));
  if (exit_code !== 0) throw impossible(message("no_commit_yet", {}));
  const above = repositoryAbove(directory);
  if (above) places.set(directory, { place: { top, common }, above });
  return { top, common, git: gitAt(top) };
}

/** What git has said of directories: a backlog asks for each issue. */
const places = new Map<string, Known>();

interface Known {
  place: Omit<Checkout, "git">;
  above: NonNullable<ReturnType<typeof repositoryAbove>>;
}

function isStillThere(directory: string, { place, above }: Known): boolean {
  const now = repositoryAbove(directory);
  const isSame = now?.top === above.top && now.gitDirectory === above.gitDirectory;
  return isSame && readHead(place.top) !== undefined;
}

export function impossible(problem: Message): E8Error {
  return new E8Error("branch_impossible", { problem });
}

/** What git said when it failed, as a message. */
export function gitProblem(act: string, { said, exit_code }: GitAnswer): Message {
  return message("git_failed", { act, said, exit_code });
}

export async function commitOf(git: Git, name: string): Promise<string | undefined> {
  const read = readCommit(git.directory, name);
  if (read !== undefined) return read;
  const { exit_code, output } = await git(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return exit_code === 0 ? output.trim() : undefined;
}

function readCommit(directory: string, name: string): string | undefined {
  if (name === "HEAD") return readHead(directory)?.commit;
  const folders = gitFoldersIn(directory);
  return folders && readRef(folders, name);
}

/** Learns what a commit says of itself, where that can be read. */
function learn(git: Git, commit: string): void {
  const folders = gitFoldersIn(git.directory);
  const said = folders && readCommitText(folders, commit);
  if (!said) return;
  rememberTree(commit, said.tree);
  for (const parent of said.parents) rememberDescent(parent, commit);
}

/** The trees of commits, in at most one question. Undefined where one of the commits is not there. */
export async function treesOf(git: Git, commits: readonly string[]): Promise<string[] | undefined> {
  for (const commit of commits) if (knownTree(commit) === undefined) learn(git, commit);
  const unknown = commits.filter((commit) => knownTree(commit) === undefined);
  const asked = unknown.map((commit) => `${commit}^{tree}`);
  const { exit_code, output } = asked.length === 0 ? ALL_KNOWN : await git(["rev-parse", ...asked]);
  if (exit_code !== 0) return undefined;
  const found = output.split("\n");
  for (const [place, commit] of unknown.entries()) rememberTree(commit, found[place] ?? "");
  return commits.map((commit) => knownTree(commit) ?? "");
}

const ALL_KNOWN = { exit_code: 0, output: "" };

export async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  if (knownDescent(older, newer) === undefined) for (const commit of [newer, older]) learn(git, commit);
  const known = knownDescent(older, newer);
  if (known !== undefined) return known;
  const isOlder = (await git(["merge-base", "--is-ancestor", older, newer])).exit_code === 0;
  if (isOlder) rememberDescent(older, newer);
  return isOlder;
}
