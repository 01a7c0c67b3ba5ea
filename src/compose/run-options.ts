import type { Ask } from "../connection/ports/ask.ts";
import type { Lane } from "../connection/ports/branch.ts";
import type { Doors } from "../connection/ports/doors.ts";
import type { MachinePlace } from "../connection/ports/machine-place.ts";
import type { Environment } from "../model/environment.ts";
import type { ErrorParams } from "../model/errors.ts";
import type { Language } from "../model/language.ts";
import type { PauseSwitch } from "../model/pause-switch.ts";
import type { Task } from "../model/task.ts";

export interface RunOptions {
  /** Cancels: the run winds down and can be resumed. */
  signal?: AbortSignal | undefined;
  /** Has the run end after the iteration in hand, without an ending: `HandedBack` is thrown, and another worker can go on. */
  handBack?: AbortSignal | undefined;
  /** Ends at once what is still winding down. */
  hurry?: AbortSignal | undefined;
  /** Puts the intake's questions to the user. Without it, a task with open questions ends as clarification_needed. */
  ask?: Ask | undefined;
  /** The environment of agents and checks. */
  environment?: Environment | undefined;
  /** Starts anew, also where the file of `persist` has an unfinished task like this one. */
  fresh?: boolean | undefined;
  /** Works in a directory in which another run works. */
  samePlace?: boolean | undefined;
  /** Works only while a fleet still has to: another worker may have ended the task meanwhile. */
  isOfFleet?: boolean | undefined;
  /** Takes what other programs have changed between two runs as it is now. */
  acceptChanges?: boolean | undefined;
  /** Asks the user about files that a worker has changed and that this run would use. Without it, the run is refused. */
  confirm?: ((changes: ErrorParams["changes_unaccepted"]) => Promise<boolean>) | undefined;
  /** The task file that the run was started with. */
  taskFile?: string | undefined;
  /** The language of notifications; English where absent. */
  language?: Language | undefined;
  /** Where runs of this process stand in line to land. */
  lane?: Lane | undefined;
  /** Which accounts have met a limit of their use, for all runs of this process. */
  doors?: Doors | undefined;
  /** What this machine's owner calls the accounts of its agents; machines with the same name share their limits. */
  account?: string | undefined;
  /** Throws where the task, as it is once it is ours, is none that this machine takes. */
  admits?: ((task: Task) => void) | undefined;
  /** Refuses to work without the sandbox that the task asks for. */
  requiresSandbox?: boolean | undefined;
  /** The checkout that this machine has made for the task. */
  machine?: MachinePlace | undefined;
  /** Lets the caller pause the run, as Ctrl-Z does. */
  pause?: PauseSwitch | undefined;
}
