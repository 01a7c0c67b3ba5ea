import { execFile } from "node:child_process";
import type { Environment } from "../../model/environment.ts";
import { type Finding, finding } from "../../model/findings.ts";
import { findProgram } from "../processes/programs.ts";

/** The `engines` of package.json. */
export const OLDEST_NODE = "20.19.0";

export function checkNode(version: string): Finding {
  return isAtLeast(version, OLDEST_NODE)
    ? finding(["node", "ok"], "node_ok", { version })
    : finding(["node", "problem"], "node_old", { version, needed: OLDEST_NODE });
}

export async function checkGit(environment: Environment): Promise<Finding> {
  const version = await versionOf("git", environment);
  return version ? finding(["git", "ok"], "git_ok", { version }) : finding(["git", "warning"], "git_missing", {});
}

export async function checkShell(environment: Environment): Promise<Finding> {
  const version = await versionOf("bash", environment);
  return version ? finding(["shell", "ok"], "shell_ok", { version }) : finding(["shell", "warning"], "shell_plain", {});
}

async function versionOf(program: string, environment: Environment): Promise<string | undefined> {
  const file = findProgram(program, environment.PATH);
  if (!file) return undefined;
  const { exited, stdout } = await askProgram(file, ["--version"], { environment });
  return exited === "zero" ? /\d+\.\d+[\w.]*/.exec(stdout)?.[0] : undefined;
}

function isAtLeast(version: string, oldest: string): boolean {
  const [mine, theirs] = [numbersOf(version), numbersOf(oldest)];
  const differing = theirs.findIndex((part, index) => part !== mine[index]);
  return differing === -1 || (mine[differing] ?? 0) > (theirs[differing] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.replace(/^v/, "").split(".").map(Number);
}

export interface ProgramAnswer {
  exited: "zero" | "other" | "never";
  stdout: string;
  /** Why it failed, on one line. */
  problem: string;
}

/** Runs a program that should answer at once. Never throws. */
export function askProgram(
  file: string,
  args: readonly string[],
  { environment, cwd }: { environment: Environment; cwd?: string },
): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    const settings = { env: environment, cwd, timeout: PATIENCE_MS, killSignal: "SIGKILL" } as const;
    const child = execFile(file, [...args], settings, (error, stdout, stderr) => {
      const exited = error === null ? "zero" : typeof error.code === "number" ? "other" : "never";
      resolve({ exited, stdout, problem: firstLine(stderr) || firstLine(error?.message ?? "") });
    });
    child.stdin?.on("error", () => {}); // it may have ended already
    child.stdin?.end();
  });
}

/** On a busy machine Claude Code takes seconds to start. */
const PATIENCE_MS = 30_000;

export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
