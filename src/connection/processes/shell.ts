import { findProgram } from "./programs.ts";

export interface ShellOptions {
  path: string | undefined;
  pipefail: boolean;
  /** Sends stderr to stdout: only the kernel can keep both in the order in which they were written. */
  joins_output?: boolean;
  /** The command's positional parameters. */
  arguments?: readonly string[] | undefined;
}

/** The program and arguments that run a shell command: bash, or sh where there is no bash. */
export function shellCommand(command: string, options: ShellOptions): string[] {
  const { path, pipefail, joins_output, arguments: parameters } = options;
  const shell = readingShell(path);
  // An sh without pipefail refuses to start, and should: a check must not silently become lenient.
  return [
    ...shell,
    ...(pipefail ? ["-o", "pipefail"] : []),
    "-c",
    joins_output ? `${JOINING}${command}` : command,
    ...(parameters ? [ZEROTH, ...parameters] : []),
  ];
}

/** A shell that runs the commands that it reads on its standard input. */
export function readingShell(path: string | undefined): string[] {
  return findProgram("bash", path) ? ["bash", NO_START_FILE] : ["sh"];
}

/** A bash whose stdin is a socket, as Node's pipes are, takes itself for a remote shell and reads ~/.bashrc. */
const NO_START_FILE = "--norc";

/** `$0`: the name of the shell in its messages. */
const ZEROTH = "e8";

/** On the command's own line, so that the shell's line numbers are the user's. */
const JOINING = "exec 2>&1; ";

/** A syntax error in the first line is reported before `exec` takes effect, and quotes it: the user did not write that part. */
export function withoutJoining(chunk: Buffer): Buffer {
  return Buffer.from(chunk.toString().replace(JOINING, ""));
}
