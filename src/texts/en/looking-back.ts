import type { Spender } from "../../model/usage.ts";
import { counted } from "../message-texts.ts";

const spender: Record<Spender, string> = {
  intake: "intake",
  executor: "executor",
  summarizer: "summarizer",
  judge: "judge",
  reviewer: "reviewer",
  checks: "checks",
  waiting: "waiting",
};

/** What the commands say that look at what has happened. */
export const enLookingBack = {
  spender,
  list: {
    empty: 'No tasks here yet. Start one: e8 run "…" --check "…"',
    columns: ["task id", "status", "iter.", "met", "cost", "age", "task"],
    running: "running",
    paused: "paused",
    queued: "queued",
    interrupted: "interrupted",
    notBegunHere: "not begun here",
    inFuture: "dated in the future",
  },
  units: { s: "s", min: "min", h: "h" },
  age: {
    seconds: (count: number) => `${count} s`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
  },
  show: {
    question: "question",
    answer: "answer",
    iteration: "iteration",
    criteria: "criteria by iteration",
    earlierLeftOut: (count: number) => `${counted(count, "earlier iteration")} left out for lack of room`,
    timeline: "what happened",
    notes: "notes for the next worker",
    next: (step: string) => `next step: ${step}`,
    flowEnded: "the flow ended",
    spending: ["spent by", "tokens", "cost", "time"],
    files: (count: number) => `files changed (${count})`,
    moreFiles: (count: number) => `and ${count} more`,
    filesAtLeast: (count: number) => `files changed (at least ${count})`,
    moreFilesAtLeast: (count: number, limit: number) =>
      `and ${count} or more others; the record of an iteration names at most ${limit}`,
    noRecords: "Nothing has been recorded yet.",
  },
  logs: {
    fromRaw: "from the raw logs",
    fromEvents:
      "from the stored events: long texts are cut, results of tools are missing. To keep them next time: e8 run --raw-log, or `logging: {raw_log: true}` in task.yaml or endless8.yaml",
    heading: (iteration: number, role: string) => `iteration ${iteration}, ${role}`,
    turns: (count: number) => counted(count, "turn"),
    tokens: (input: number, output: number) => `${input} tokens in, ${output} out`,
  },
  knowledge: {
    title: "Knowledge",
    none: 'No knowledge here yet. Tasks add what they learn; so can you: e8 knowledge add "…"',
    noneSuch: "There is no knowledge of that kind.",
    noMatch: "No knowledge matches that.",
    columns: ["confidence", "type", "category", "content", "used", "source"],
    added: (path: string) => `Added to ${path}.`,
    howToUse: "Every task of this project reads it, unless its `knowledge` setting names another file.",
    blank: "must not be empty",
    example: "example",
    source: "source",
  },
  remove: {
    ask: (count: number, size: string) => `Remove ${counted(count, "task")} with all records (${size})?`,
    removed: (count: number, size: string) => `Removed ${counted(count, "task")}: ${size} freed.`,
    wouldRemove: (count: number, size: string) =>
      `${counted(count, "task")} would be removed, and ${size} freed. Nothing was removed.`,
    left: "Nothing was removed.",
    refsLeft: (id: string, repository: string) =>
      `${repository} cannot be reached: refs/e8/${id}/ stays there. To remove it later: git push <it> --delete <refs>`,
    none: "No such task is that old.",
  },
  query: {
    rows: (count: number) => (count === 1 ? "1 row" : `${count} rows`),
    firstRows: (count: number) => `the first ${count} rows; --json and --csv give all of them`,
    oneFormat: "choose --json or --csv, not both",
  },
};

export const enLookingBackHelp = {
  query: "ask about tasks, history and knowledge in SQL; without SQL, list the columns",
  sqlArgument: "one SQL question over the views tasks, history, knowledge (docs/queries.md)",
  rm: "remove tasks with all their records; running ones are refused",
  prune: "remove tasks that were last active long ago; running ones stay",
  olderThan: "how long ago at least: 30d, 12h or 2w",
  onlyStatus: "only tasks with this status, such as completed (repeat)",
  yes: "remove without asking",
  removeDryRun: "only show which tasks would be removed",
  logs: "show what the agents said and did, from the raw logs or the stored events",
  follow: "go on showing until the run ends",
  iteration: "only this iteration; 0 is the intake",
  jsonLines: "print the logged lines as they are",
  knowledge: "what the tasks have learned: list, add, search, export",
  knowledgeList: "list what is known, the surest first",
  knowledgeAdd: "add to the project's knowledge",
  knowledgeSearch: "find knowledge that matches a text, best first",
  knowledgeExport: "write what is known as markdown or JSON to standard output",
  knowledgeType: "discovery, lesson, pattern, constraint or codebase",
  category: "what it is about",
  minimumConfidence: "at least this sure: low, medium or high",
  confidence: "low, medium or high",
  exampleFile: "a file that shows it",
  ofTask: "only what this task has learned",
  content: "the knowledge, in a sentence or two",
  searchText: "what to look for",
  limit: "entries at most",
  format: "markdown or json",
  csv: "print the rows as CSV (RFC 4180)",
};
