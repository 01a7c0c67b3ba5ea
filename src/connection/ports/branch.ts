import type { Message } from "../../model/message.ts";
import type { BranchPlace } from "../../model/task.ts";

/** What is left in the worktree, as a commit. `is_new`: there was something to commit. */
export type Gathered = { commit: string; is_new: boolean } | { problem: Message };

/**
 * How the base came into the worktree. `current`: the branch already has it. `merged`: the tree is another one now, and has to be proved
 * again. `conflict`: the merge is left in progress.
 */
export type Integration =
  | { is: "current" }
  | { is: "merged"; base: string; commit: string }
  | { is: "conflict"; base: string; files: string[] }
  | { is: "failed"; problem: Message };

/**
 * `landed`: the base has the commit, here or on the remote. `kept`: the base is checked out and was not moved; the commit is kept at a ref
 * of ours, and `forward` brings the checkout there. `moved`: the base has changed meanwhile: integrate again.
 */
export type Landing =
  | { is: "landed"; commit: string; remote?: string }
  | { is: "kept"; commit: string; checkout: string; forward: string }
  | { is: "moved" }
  /** Also where the worktree no longer has the proved files. */
  | { is: "failed"; problem: Message };

/** The commit that lands. */
export interface LandingWords {
  /** The snapshot that was proved: its tree is what lands. */
  proved: string;
  message: string;
}

/** One landing at a time on each base; who is next is decided elsewhere. */
export interface Lane {
  /** Waits for its turn. Returns how to let the next one pass. */
  hold(base: string, signal: AbortSignal): Promise<() => void>;
}

/** Whether a worktree may go. `ignored`: files that git ignores and that go with it. `remove` returns why it could not. */
export type Clearing = { ignored: string[]; remove(): Promise<Message | undefined> } | { problem: Message };

/**
 * A task's own branch and worktree. Every act looks first, so it is harmless when made twice, also after a crash in the middle of it.
 * Nothing of the user's checkout changes: neither files nor index, stash or branch.
 */
export interface Branch extends BranchPlace {
  /** Waits until no other run lands on the base, and keeps others from it until `free`. */
  hold(signal: AbortSignal): Promise<void>;
  free(): Promise<void>;
  /** Commits what is left, and concludes a merge in progress. `settled`: files that had conflicts and must not have markers any more. */
  gather(message: string, settled: readonly string[]): Promise<Gathered>;
  /** Merges the base's present tip into the worktree. */
  integrate(): Promise<Integration>;
  /** Undoes a merge that is in progress. */
  abandon(): Promise<void>;
  /** Puts a commit of the proved tree on top of the base, if the base is where `integrate` found it. */
  land(words: LandingWords): Promise<Landing>;
  /** Pushes the branch itself to a remote. */
  publish(remote: string): Promise<{ commit: string } | { problem: Message }>;
  /** Looks whether worktree and branch may be removed: the work has landed or there is none, and nothing else is there. */
  clear(landed: string | undefined): Promise<Clearing>;
  /** Lets others work on the branch and land on its base. */
  leave(): Promise<void>;
}
