import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../model/environment.ts";
import { send } from "./ending.ts";
import { withoutHookVariables } from "./environment.ts";
import { processTable } from "./process-table.ts";
import { OWN_SESSION } from "./programs.ts";

export interface GitAnswer {
  /** Null when git could not be started, was killed, or wrote too much. */
  exit_code: number | null;
  output: string;
  /** What git says went wrong: the first line, which has the cause, and the last. */
  problem: string;
  /** The end of what git said on stderr, in English. */
  said: string;
}

export interface GitQuestion {
  directory: string;
  environment?: Environment;
  timeout_seconds?: number;
  /** An index in place of the repository's own. */
  index?: string;
  /** Where objects are, in place of the repository's own. */
  objects?: string;
  stdin?: string;
  /** `latin1`: every byte is one character, in the output and on stdin, because file names need not be UTF-8. */
  encoding?: "latin1";
}

type AskGit = (args: readonly string[], question: GitQuestion) => Promise<GitAnswer>;

let ask: AskGit = runGit;

/** Asks git about a directory. Never throws. Ctrl-C and Ctrl-Z at the terminal do not reach git. */
export function askGit(...asked: Parameters<AskGit>): Promise<GitAnswer> {
  return ask(...asked);
}

/** Has another process start git. */
export function askThrough(way: AskGit): void {
  ask = way;
}

/** Starts git from this process. */
export function runGit(args: readonly string[], question: GitQuestion): Promise<GitAnswer> {
  const { directory: cwd, environment = process.env, timeout_seconds, index, objects, stdin, encoding } = question;
  // A repository may name any program as its fsmonitor: it must not run.
  const command = ["-c", "core.fsmonitor=false", ...args];
  return new Promise<GitAnswer>((resolve) => {
    const child = spawn("git", command, {
      ...OWN_SESSION,
      cwd,
      env: {
        ...withoutHookVariables(environment),
        GIT_OPTIONAL_LOCKS: "0",
        GIT_NO_REPLACE_OBJECTS: "1", // an object stays what it was
        LC_ALL: "C",
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
        ...(objects !== undefined && { GIT_OBJECT_DIRECTORY: objects }),
      },
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    let isLate = false;
    // With all that git has started: what talks to the remote would keep its output open.
    const end = () => {
      isLate = true;
      if (child.pid !== undefined) send(-child.pid, "SIGKILL");
    };
    const timer = timeout_seconds === undefined ? undefined : setTimeout(end, timeout_seconds * 1000);
    // Before `stdout` is used: without free file descriptors a child has none, but still emits an error.
    child.on("error", () => {
      clearTimeout(timer);
      resolve(NO_ANSWER);
    });
    child.stdin?.on("error", () => {}); // git may end before it has read everything
    child.stdin?.end(stdin, encoding ?? "utf8");
    const parts: Buffer[] = [];
    let size = 0;
    child.stdout?.on("data", (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > MAX_OUTPUT) child.kill();
    });
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      said = (said + part).slice(-MAX_SAID);
    });
    child.on("close", (exit_code) => {
      clearTimeout(timer);
      if (isLate) said += `\ngit has given no answer for ${timeout_seconds} seconds`;
      const output = Buffer.concat(parts).toString(encoding);
      resolve({ exit_code, output, problem: problemIn(said), said: said.trim() });
    });
  }).catch(() => NO_ANSWER); // the system refuses some starts by an exception
}

/**
 * Removes the lock of an index of ours that a killed run has left. The git that it had started may still be at work on the files:
 * it is awaited.
 */
export async function unlockIndex(index: string): Promise<void> {
  const lock = `${index}.lock`;
  for (let waited = 0; existsSync(lock) && waited < PATIENCE; waited += 1) {
    if (processTable().carrying(`GIT_INDEX_FILE=${index}`).size === 0) break;
    await sleep(PAUSE_MS);
  }
  if (existsSync(lock)) await rm(lock, { force: true });
}

const PAUSE_MS = 50;
const PATIENCE = 120_000 / PAUSE_MS;
export const NO_ANSWER: GitAnswer = { exit_code: null, output: "", problem: "", said: "" };
const MAX_SAID = 4096;

function problemIn(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  const told = lines.filter((line) => line !== "" && !/^(warning|hint): /.test(line));
  const last = told.findLast((line) => /^(fatal|error): /.test(line)) ?? told.at(-1) ?? "";
  return [...new Set([told[0] ?? "", last])].join("; ");
}

const MAX_OUTPUT = 64 * 1024 * 1024;
