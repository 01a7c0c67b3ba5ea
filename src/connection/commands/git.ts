import { spawn } from "node:child_process";
import type { Environment } from "../../model/environment.ts";
import { OWN_SESSION } from "./own-session.ts";

export interface GitAnswer {
  /** Null: it could not be started, was killed, or had too much to say. */
  exit_code: number | null;
  output: string;
}

export interface GitQuestion {
  directory: string;
  environment?: Environment;
  timeout_seconds?: number;
}

/** Asks git about a directory. Never throws. Ctrl-C and Ctrl-Z at the terminal are ours to hear, not git's. */
export function askGit(args: readonly string[], question: GitQuestion): Promise<GitAnswer> {
  const { directory: cwd, environment = process.env, timeout_seconds } = question;
  // A repository may name a program as its fsmonitor, which nobody has asked us to run.
  const command = ["-c", "core.fsmonitor=false", ...args];
  return new Promise<GitAnswer>((resolve) => {
    const child = spawn("git", command, {
      ...OWN_SESSION,
      cwd,
      env: cleaned(environment),
      stdio: ["ignore", "pipe", "ignore"],
      ...(timeout_seconds !== undefined && { timeout: timeout_seconds * 1000, killSignal: "SIGKILL" }),
    });
    // First of all: out of file descriptors, a child has no stdout, and its error comes all the same.
    child.on("error", () => resolve(NO_ANSWER));
    const parts: Buffer[] = [];
    let size = 0;
    child.stdout?.on("data", (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > MAX_OUTPUT) child.kill();
    });
    child.on("close", (exit_code) => resolve({ exit_code, output: Buffer.concat(parts).toString() }));
  }).catch(() => NO_ANSWER); // some refusals of the system are thrown
}

const NO_ANSWER: GitAnswer = { exit_code: null, output: "" };

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Without what a surrounding git hook sets: it would point git at another repository. */
function cleaned(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(([name]) => !OF_A_HOOK.test(name));
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0" };
}

const OF_A_HOOK = /^GIT_(DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$/;
