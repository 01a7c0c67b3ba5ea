import type { RemoteRepository, TaskId } from "../../model/task.ts";

/** A task that any machine may work on, and where its files come from. */
export interface PlaceRequest {
  task_id: TaskId;
  repository: RemoteRepository;
  /** The last commit that the task's records name. */
  snapshot?: string | undefined;
  signal: AbortSignal;
}

/** What a place's files are to be: the base, and on it the work of a snapshot. */
export interface PlaceState {
  base_commit: string;
  snapshot?: string | undefined;
}

/**
 * A checkout of the task's repository, on this machine and for one opening only: what an interrupted iteration or another run has left is
 * never in it. The machine's own credentials reach the remote; the checkout has none.
 */
export interface MachinePlace {
  /** Has the checkout, and nothing else. */
  readonly home: string;
  /** The checkout, and the project in it. */
  readonly top: string;
  readonly directory: string;
  /** What its files were made from. */
  readonly state: PlaceState;
  /** The machine's copy of the repository: the checkout reads its objects there. */
  readonly mirror: string;
  /** The directory of all checkouts. */
  readonly places: string;
  /** The machine, by host and home directory. */
  readonly name: string;
  /** The remote, for landings. */
  readonly remote: RemoteAccess;
  /** Makes the files anew where the task is further than it was when the place was opened. Called by the holder of the task. */
  goTo(state: PlaceState): Promise<void>;
  /**
   * Resolves when other machines can fetch the commit as `refs/e8/<task>/<label>`. `verify` throws where the task is no longer ours. Waits
   * for a remote that is away; throws `remote_unreachable` or `snapshot_refused`.
   */
  keep(label: string, commit: string, verify: () => Promise<void>): Promise<void>;
  /** Removes the checkout. */
  close(): Promise<void>;
}

/** What git said to a command that went to the remote. */
export interface RemoteAnswer {
  exit_code: number | null;
  said: string;
}

/** How a checkout reaches its remote without using settings that a worker can write. */
export interface RemoteAccess {
  /** The tip of a branch. Its objects are in the checkout's reach afterwards. */
  tip(branch: string): Promise<{ commit: string | undefined } | { said: string }>;
  /** Pushes a commit of the checkout to a branch, if that is where `from` says; the empty text: if it is not there. */
  push(step: { branch: string; from: string; to: string }): Promise<RemoteAnswer>;
}
