import { findProgram } from "./programs.ts";

export interface ShellOptions {
  path: string | undefined;
  pipefail: boolean;
}

/** The program and arguments that run a shell command: bash, or sh where there is no bash. */
export function shellCommand(command: string, { path, pipefail }: ShellOptions): string[] {
  const shell = findProgram("bash", path) ? "bash" : "sh";
  // An sh that knows no pipefail refuses to start: a check must not become lenient in silence.
  return [shell, ...(pipefail ? ["-o", "pipefail"] : []), "-c", command];
}

/** Sends stderr where stdout goes: only the kernel can keep both in the order they were written. */
export function withJoinedOutput(command: readonly string[]): string[] {
  return ["sh", "-c", 'exec "$@" 2>&1', "sh", ...command];
}
