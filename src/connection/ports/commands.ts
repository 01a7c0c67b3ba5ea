import type { Digests } from "../../model/digests.ts";
import type { Statement } from "../../model/message.ts";
import type { Place } from "./workspace.ts";

export interface CommandRequest {
  command: string;
  timeout_seconds: number;
  pipefail: boolean;
  /** `$1`, `$2` … of the command, whatever characters they hold. `"$@"` as the command runs a program with its arguments. */
  arguments?: readonly string[];
  /** Added to the environment that all commands have. */
  environment?: Readonly<Record<string, string>>;
  /**
   * Whose word it is: `check` where absent. Checks and workers have process spaces of their own where there are any; the user's own
   * commands have the credentials that worker and checks have not.
   */
  runs_as?: "check" | "worker" | "user";
  /** Standard input; empty where absent. */
  stdin?: string;
  /** A clean checkout to run in, in the place of the workspace. */
  place?: Place;
  /** Gives the outcome a `stdout`. The order of stdout and stderr in `output_tail` is then only approximate. */
  separate_stdout?: boolean;
  /** How much of a separate `stdout` is kept, where the default is too small. */
  stdout_bytes?: number;
}

export interface CommandOutcome {
  /** Null when it never started, or a signal ended it outside a process space: from inside one, a signal n arrives as 128 + n. */
  exit_code: number | null;
  /** The signal that ended it, or that the exit code stands for. */
  signal: string | null;
  timed_out: boolean;
  /** Why it could not be started. */
  start_error: Statement | null;
  /** The end of stdout and stderr together, as they came. */
  output_tail: string;
  /** Stdout alone, when the request asked for it: complete up to 64 KB, otherwise its beginning and its end. */
  stdout?: string;
  seconds: number;
}

/** Runs a shell command in the project. Never throws: failures are outcomes. Leaves no process after a time-out or abort. */
export interface CommandRunner {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
  /** Digests of what these commands find outside the project: their programs, and settings in HOME, above the project and of git. */
  toolchain(commands: readonly string[]): Promise<Digests>;
  /** Digests of the settings outside the project with which roles reach their model. */
  modelSettings(): Promise<Digests>;
  /** Ends what is kept for all commands. No command follows. */
  close?(): Promise<void>;
}
