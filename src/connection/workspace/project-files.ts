import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { OWN_SESSION } from "../commands/own-session.ts";

/**
 * The files under a directory, relative to it: what git tracks or would offer to add, or everything where there is no git.
 * A repository inside another is listed as a directory.
 */
export async function listEntries(directory: string, limit: number): Promise<string[]> {
  const names = (await listWithGit(directory)) ?? (await listByWalking(directory, limit));
  return [...new Set(names)].filter((name) => !isPrivate(name)).slice(0, limit);
}

/** Git's listing, or undefined where git has no say: no git, no work tree, or a directory that its repository ignores. */
async function listWithGit(directory: string): Promise<string[] | undefined> {
  const [ignored, listed] = await Promise.all([
    git(directory, ["check-ignore", "--quiet", "."]),
    git(directory, ["ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", "--exclude=node_modules"]),
  ]);
  if (ignored.exitCode !== NOT_IGNORED || listed.exitCode !== 0) return undefined;
  const entries = listed.output
    .split("\0")
    .map((entry) => ({ tag: entry[0], name: entry.slice(2).replace(/\/$/, "") }));
  const named = entries.filter(({ name }) => name !== "" && name !== ".");
  // In this order: where a limit cuts, what is tracked matters more.
  return [...named.filter(({ tag }) => tag !== UNTRACKED), ...named.filter(({ tag }) => tag === UNTRACKED)].map(
    ({ name }) => name,
  );
}

const UNTRACKED = "?";
const NOT_IGNORED = 1;

interface Answer {
  /** Null: it could not be started, was killed, or had too much to say. */
  exitCode: number | null;
  output: string;
}

function git(directory: string, args: string[]): Promise<Answer> {
  // A repository may name a program as its fsmonitor, which nobody has asked us to run.
  const command = ["-c", "core.fsmonitor=false", ...args];
  return new Promise<Answer>((resolve) => {
    const child = spawn("git", command, {
      ...OWN_SESSION,
      cwd: directory,
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const parts: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > MAX_OUTPUT) child.kill();
    });
    child.on("error", () => resolve(NO_ANSWER));
    child.on("close", (exitCode) => resolve({ exitCode, output: Buffer.concat(parts).toString() }));
  }).catch(() => NO_ANSWER); // some refusals of the system are thrown
}

const NO_ANSWER: Answer = { exitCode: null, output: "" };

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Without what a surrounding git hook sets: it would point git at another repository. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !OF_A_HOOK.test(name));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0" };
}

const OF_A_HOOK = /^GIT_(DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$/;

async function listByWalking(directory: string, limit: number): Promise<string[]> {
  const names: string[] = [];
  for await (const name of walk(directory, "")) {
    if (names.length >= limit) break;
    names.push(name);
  }
  return names;
}

/** In a fixed order, so that a limit cuts at the same place each time. Links are listed, never followed. */
async function* walk(root: string, directory: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(() => []);
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (SKIPPED.has(entry.name)) continue;
    if (entry.isDirectory()) yield* walk(root, path);
    else yield path;
  }
}

const SKIPPED = new Set([".git", ".e8", "node_modules"]);

/** Our own records change with every run. */
function isPrivate(path: string): boolean {
  return path.split("/").includes(".e8");
}
