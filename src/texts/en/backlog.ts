import type { BacklogItem } from "../../model/backlog.ts";

/** What `e8 orchestrate` and `e8 status` say. */
export const enBacklog = {
  backlog: {
    begun: (title: string, id: string, who: string | undefined) => `${title} (task ${id}${who ? `, ${who}` : ""})`,
    goesOn: (title: string, id: string) => `${title}: goes on (task ${id})`,
    ended: (words: string) => `ended: ${words}`,
    parked: (problem: string) => `waits for you: ${problem}`,
    idle: (time: string) => `nothing to do; looks again at ${time}`,
    nothing: "No open issue is to be worked on.",
    dryRun: "Nothing was begun: this is what would be, in this order.",
    columns: ["#", "state", "task", "title"],
    planColumns: ["#", "phase", "agent", "branch", "base", "title"],
    noBase: "none: name one with --base",
    state: { done: "done", parked: "waits for you", waits: "waits", left: "not finished" } satisfies Record<
      BacklogItem["state"],
      string
    >,
    landing: {
      merged: "merging",
      conflict: "conflict",
      landed: "merged",
      kept: "merged, base not moved yet",
      published: "pushed",
      failed: "not merged",
    },
    blockedBy: (numbers: string) => `blocked by ${numbers}`,
    forward: "The base is checked out and was not moved. To bring the checkout forward:",
    forwardAsk: "Run it now?",
    forwarded: (base: string, isDone: boolean) =>
      isDone
        ? `The checkout of ${base} was brought forward.`
        : `Changes of yours are in the way; ${base} stays where it is.`,
    budget: "The budget of the backlog is spent; no further issue is begun.",
    next: "To go on: e8 orchestrate --resume",
    counts: (done: number, all: number, cost: string) => `${done} of ${all} issues done${cost}`,
    liveColumns: ["issue", "phase", "now", "iteration", "criteria", "tokens", "title"],
    more: (count: number) => `… ${count} more`,
    statusColumns: ["task", "#", "state", "iteration", "criteria", "spent", "title"],
    nothingRuns: "Nothing runs, waits or is blocked here.",
    doing: {
      running: "running",
      waiting: "waiting",
      to_merge: "waiting to merge",
      merging: "merging",
      paused: "paused",
      queued: "queued",
    },
    until: (time: string) => `until ${time}`,
  },
};

export const enBacklogHelp = {
  orchestrate: "work through the open issues, each on a branch of its own",
  orchestrateLabel: "only issues with this label (repeat: with all of them)",
  orchestrateIssue: "only this issue (repeat)",
  orchestrateLimit: "begin with so many issues at most",
  parallel: "issues at a time",
  orchestrateResume: "also take up issues again that wait for you",
  watchIssues: "go on looking for new issues, every so often, such as 30s or 5m",
  orchestrateDryRun: "only show what would be worked on, in which order, on which branches",
  status: "what runs, waits, merges or is blocked in this project, and why",
};
