import { findProgram } from "./programs.ts";

export interface ShellOptions {
  path: string | undefined;
  pipefail: boolean;
  /** The command's positional parameters. */
  arguments?: readonly string[] | undefined;
}

/** The program and arguments that run a shell command: bash, or sh where there is no bash. */
export function shellCommand(command: string, options: ShellOptions): string[] {
  const { path, pipefail, arguments: parameters } = options;
  const shell = findProgram("bash", path) ? ["bash", NO_START_FILE] : ["sh"];
  // An sh that knows no pipefail refuses to start: a check must not become lenient in silence.
  return [
    ...shell,
    ...(pipefail ? ["-o", "pipefail"] : []),
    "-c",
    command,
    ...(parameters ? [ZEROTH, ...parameters] : []),
  ];
}

/** A bash whose stdin is a socket, as Node makes them, takes itself for a remote shell and reads ~/.bashrc. */
const NO_START_FILE = "--norc";

/** What the shell calls itself in its messages: `$0`. */
const ZEROTH = "e8";

/** Sends stderr where stdout goes: only the kernel can keep both in the order they were written. */
export function withJoinedOutput(command: readonly string[]): string[] {
  return ["sh", "-c", 'exec "$@" 2>&1', "sh", ...command];
}
