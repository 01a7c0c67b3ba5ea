import { findProgram } from "./programs.ts";

export interface ShellOptions {
  path: string | undefined;
  pipefail: boolean;
  /** Sends stderr where stdout goes: only the kernel can keep both in the order they were written. */
  joins_output?: boolean;
  /** The command's positional parameters. */
  arguments?: readonly string[] | undefined;
}

/** The program and arguments that run a shell command: bash, or sh where there is no bash. */
export function shellCommand(command: string, options: ShellOptions): string[] {
  const { path, pipefail, joins_output, arguments: parameters } = options;
  const shell = findProgram("bash", path) ? ["bash", NO_START_FILE] : ["sh"];
  // An sh that knows no pipefail refuses to start: a check must not become lenient in silence.
  return [
    ...shell,
    ...(pipefail ? ["-o", "pipefail"] : []),
    "-c",
    joins_output ? `${JOINING}${command}` : command,
    ...(parameters ? [ZEROTH, ...parameters] : []),
  ];
}

/** A bash whose stdin is a socket, as Node makes them, takes itself for a remote shell and reads ~/.bashrc. */
const NO_START_FILE = "--norc";

/** What the shell calls itself in its messages: `$0`. */
const ZEROTH = "e8";

/** On the command's own line, so that the shell counts lines as the user does. */
const JOINING = "exec 2>&1; ";

/** A first line that the shell cannot read is told of before it is obeyed, with our own words in it. */
export function complaintOf(chunk: Buffer): Buffer {
  return Buffer.from(chunk.toString().replace(JOINING, ""));
}
