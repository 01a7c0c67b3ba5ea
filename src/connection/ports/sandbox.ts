import type { Environment } from "../../model/environment.ts";
import type { SandboxAdapter } from "../../model/sandbox.ts";

/** A program as it would be started without a sandbox. */
export interface Program {
  command: string;
  args: readonly string[];
  /** May be a directory that exists only inside. */
  cwd: string;
  environment: Environment;
}

/**
 * One difference between what a program sees of the file system and what is there. `at` is a path inside; `from` always names a path
 * outside, also where another mount hides it. All paths are absolute.
 */
export type Mount =
  /** An empty directory in the place of the one that is there. The program may write in it; all of it is gone when the program ends. */
  | { is: "empty"; at: string }
  /** A file or directory that is seen at `at`, with everything below it. */
  | { is: "bind"; from: string; at: string; writable: boolean }
  /** A symbolic link in an empty directory. */
  | { is: "link"; at: string; to: string };

/**
 * What a program may see and do inside. The part that is not named is as outside: the same user, files, devices, network and
 * environment. Only bubblewrap knows `is_read_only` and `network` (decision 0032). To forbid more, add a field here, translate it in
 * each adapter, and add its test to the contract suite.
 */
export interface View {
  /** Applied in this order. One whose `from`, or whose emptied directory, is not there is left out. */
  mounts: readonly Mount[];
  /** All that no writable mount covers can only be read. Devices are few, and memory is not shared. */
  is_read_only?: boolean;
  /** That of the machine where absent. */
  network?: Network;
}

/** A network of its own: loopback alone, or a way to the hosts that a filtering proxy at `socket` allows. */
export type Network = "none" | { socket: string; hosts: readonly string[] };

/**
 * Runs programs in process spaces of their own. What every adapter but `none` keeps to:
 *
 * - The program sees and signals only the processes of its own space. When it ends, all of them end, whatever they did to their
 *   environment, session or parent.
 * - Exactly two processes stand between the starter and the program: the holders. A signal for the program must be sent to it and not
 *   to them. SIGKILL to the outer holder ends everything, and so does the death of the starter.
 * - The program's exit code arrives unchanged. A signal that ends it arrives as exit code 128 + n.
 * - The program cannot take the mounts away, root included.
 * - The command line can be started in any directory, with the program's own environment.
 */
export interface Sandbox {
  readonly adapter: SandboxAdapter;
  /** The command line that runs the program inside. Undefined: programs run without a space of their own. */
  enclose(program: Program, view: View): string[] | undefined;
}

/** Where the programs of one kind run: a sandbox with a view. */
export interface Space {
  /** As `Sandbox.enclose`. The view is made anew for each program. */
  enclose(program: Program): string[] | undefined;
}
