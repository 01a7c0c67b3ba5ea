import type { Statement } from "../message.ts";

/** Messages about branches, worktrees and landings. `said`: git's own words. */
export interface BranchMessages {
  not_a_repository: { path: string; said: string };
  no_commit_yet: object;
  base_missing: { base: string };
  base_unnamed: object;
  agents_too_few: object;
  branch_name_invalid: { branch: string };
  branch_exists: { branch: string };
  worktree_path_taken: { path: string };
  worktree_gone: { path: string };
  worktree_dirty: { path: string };
  worktree_unmerged: { path: string; branch: string };
  conflict_markers_left: { files: string };
  repository_shallow: object;
  remote_unreadable: { remote: string; base: string; said: string };
  push_refused: { remote: string; branch: string; said: string };
  merge_conflict: { base: string; files: readonly string[] };
  merge_conflict_stays: { base: string; files: readonly string[] };
  base_keeps_moving: { base: string };
  tree_not_proved: { worktree: string };
  submodule_changed: { path: string };
  submodule_unpublished: { path: string };
  pull_request_failed: { branch: string; problem: Statement };
  pull_request_body: {
    task: string;
    id: string;
    evaluations: readonly { criterion: string; is_met: boolean; evidence: string }[];
    proof: { method: "clean-room" | "in-place"; commit: string | null } | null;
  };
  git_failed: { act: string; said: string; exit_code: number | null };
}
