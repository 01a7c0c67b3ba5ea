import { execFile } from "node:child_process";
import type { Environment } from "../../model/environment.ts";

export interface ProgramAnswer {
  exited: "zero" | "other" | "never";
  stdout: string;
  /** Why it gave no good answer, on one line. */
  problem: string;
}

/** Runs a program that should answer at once. Never throws. */
export function askProgram(
  file: string,
  args: readonly string[],
  options: { environment: Environment; cwd?: string },
): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    const settings = {
      env: options.environment,
      cwd: options.cwd,
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    } as const;
    const child = execFile(file, [...args], settings, (error, stdout, stderr) => {
      const exited = error === null ? "zero" : typeof error.code === "number" ? "other" : "never";
      resolve({ exited, stdout, problem: firstLine(stderr) || firstLine(error?.message ?? "") });
    });
    child.stdin?.on("error", () => {}); // it may be gone already
    child.stdin?.end();
  });
}

/** A machine under load starts Claude Code in seconds. */
const PATIENCE_MS = 30_000;

export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
