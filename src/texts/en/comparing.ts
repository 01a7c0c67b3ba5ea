import type { ComparedProof } from "../../model/comparison.ts";

/** What `e8 compare` says. */
export const enComparing = {
  comparing: {
    begun: (id: string) => `begins (task ${id})`,
    goesOn: (id: string) => `goes on (task ${id})`,
    ended: (words: string) => `ended: ${words}`,
    failed: (problem: string) => `cannot run: ${problem}`,
    keeping: "is kept: its work goes where the settings say",
    removed: (branch: string, commit: string | null) =>
      commit === null
        ? `branch ${branch} and its worktree are removed; there was no work in them`
        : `branch ${branch} and its worktree are removed; its work is kept as ${commit.slice(0, 10)} (back: git branch ${branch} ${commit.slice(0, 10)})`,
    ignored: (files: string) => `ignored files went with the worktree: ${files}`,
    presumed: (base: string, commit: string) =>
      `The base is ${base}, the branch that you are on, at ${commit} (--base names another one).`,
    dirty: "Your checkout has changes that are not committed; no run sees them.",
    dryRun: "Nothing was begun: this is what would be compared.",
    planColumns: ["#", "agent", "model", "base", "begins at", "then"],
    rows: {
      status: "status",
      criteria: "criteria met",
      proof: "proof",
      iterations: "iterations",
      time: "time",
      tokens: "tokens",
      cost: "cost",
      changes: "changes",
      branch: "branch",
      task: "task",
      landing: "work",
    },
    notBegun: "not begun",
    proofs: { "clean-room": "clean checkout", "in-place": "in place", refuted: "refuted" } satisfies Record<
      NonNullable<ComparedProof>,
      string
    >,
    noProof: "none",
    unknown: "unknown",
    atLeast: (cost: string) => `unknown (at least ${cost})`,
    removedWork: (commit: string) => `removed (${commit.slice(0, 10)})`,
    stays: "on its branch",
    afterwards: (words: readonly string[]) => (words.length === 0 ? "stays on its branch" : words.join(", ")),
    goals: { merge: "merge", push: "push", create_pr: "pull request" },
    choose: (id: string) =>
      `Nothing is merged. To keep one: e8 compare --keep <number or agent> ${id}; to drop all: --keep none`,
    resume: (id: string) => `To go on: e8 compare --resume ${id}`,
    ask: "Which one do you keep? Its work is finalized, and the branches of the others are removed.",
    later: "decide later",
    notKept: (number: number, agent: string) =>
      `${number} (${agent}) was not finalized; all branches and worktrees stay.`,
    liveColumns: ["#", "agent", "now", "iteration", "criteria", "tokens"],
  },
};

export const enComparingHelp = {
  compare: "run a task once with each of several agents, and put the results side by side",
  compareWhat: "the task, or a task file; without --agent a comparison: the id of one of its tasks",
  compareAgent: "an agent to compare (repeat), also with a model: claude@opus",
  compareParallel: "so many at a time; all at once without a number",
  compareKeep: "finalize this one (a number or an agent) and remove the others; none removes all",
  compareOthers: "what happens to the other branches and worktrees: remove or keep",
  compareResume: "go on with the runs that were cut off",
  compareDryRun: "only show what would be compared, and where it begins",
};
