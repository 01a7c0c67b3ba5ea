import { z } from "zod";
import type { ChangedFile, ChangeTotals } from "./changes.ts";
import type { RunEvent } from "./events.ts";
import type { Language } from "./language.ts";
import type { HistoryRecord, LoopResult, LoopStatus } from "./records.ts";
import type { ClarificationQuestion, Knowledge } from "./roles.ts";
import type { TaskId } from "./task.ts";
import type { Spender, Usage } from "./usage.ts";

/**
 * What the dashboard's page gets from its server, and what a report holds. Sentences are in the reader's language already: `Statement` fields
 * of records and events are texts here, as `e8 show --json` prints them.
 */

/** Who looks, and at what. */
export interface DashboardSession {
  version: string;
  language: Language;
  /** The page may look but not steer. */
  read_only: boolean;
  /** `is_elsewhere`: its files are on other machines. */
  projects: { key: string; name: string; is_elsewhere: boolean }[];
}

/** How a task stands, in a list. `status` as `e8 list` has it. */
export interface TaskRow {
  project: string;
  task_id: TaskId;
  title: string;
  status: LoopStatus | "queued" | "running" | "paused" | "interrupted" | "unreadable";
  /** What it does now, while it runs: a phase, or a wait until `until` (milliseconds since 1970). */
  doing?: { phase: string; until?: number };
  problem?: string;
  iterations: number;
  max_iterations: number;
  criteria: number;
  criteria_met: number;
  spent: Usage;
  created_at: string;
  last_active: string;
  agent?: string;
  issue?: number;
}

/** What is different in the list of tasks. */
export interface ListChange {
  rows: TaskRow[];
  gone: Pick<TaskRow, "project" | "task_id">[];
  /** All of them, when one has come. */
  projects?: DashboardSession["projects"];
}

/** One criterion over all iterations. */
export interface CriterionRow {
  id: number;
  /** As the user wrote it. */
  text: string;
  refined?: string;
  kind: "sentence" | "command" | "unchanged";
  command?: string;
  /** A cell for each iteration that judged it. The last judgment of an iteration counts. */
  cells: CriterionCell[];
}

export interface CriterionCell {
  iteration: number;
  is_met: boolean;
  is_flaky?: boolean;
}

/** The evidence behind a cell; asked for one at a time. */
export interface CellEvidence {
  iteration: number;
  id: number;
  is_met: boolean;
  /** What was found, then the quotation it rests on. */
  said: string;
  quoted: string;
  is_cut: boolean;
  source: string;
  confidence: number;
}

/** A part of an iteration, as the wire tells of it. Times are milliseconds since 1970. */
export interface PhaseSpan {
  phase: string;
  start: number;
  end?: number;
}

export interface IterationRow {
  iteration: number;
  start?: number;
  end?: number;
  phases: PhaseSpan[];
  approach: string;
  reason: string;
  result: string;
  worker?: string;
  /** Of a flow. */
  step?: string;
  usage: Usage;
  changes?: ChangeTotals;
  criteria_met: number;
  is_complete: boolean;
  /** Whether its claim was proved; absent without a claim. */
  proof_holds?: boolean;
  tools_used: string[];
}

/** The graph of a flow's steps. */
export interface FlowGraph {
  name: string;
  entry: string;
  steps: { id: string; name: string; kind: string }[];
  edges: { from: string; intent: string; to: string | null }[];
  /** Where the run is, or was last. */
  current?: string;
}

/** All that a run's page shows, but for the evidence, the diffs and the live stream. */
export interface TaskView extends TaskRow {
  task: string;
  refined_task?: string;
  notes: { text: string; given_at: string }[];
  questions: ClarificationQuestion[];
  answers: { question: string; answer: string }[];
  rows: CriterionRow[];
  /** Oldest first. */
  timeline: IterationRow[];
  usage_by_role: Partial<Record<Spender, Usage>>;
  budget: { cost_usd?: number; tokens?: number; minutes?: number };
  /** The latest proof, whether it holds or not, in the form of `e8 show --proof --json`. */
  proof?: Readable<Extract<HistoryRecord, { type: "proof" }>>;
  result?: Readable<LoopResult>;
  effects: { what: string; stage: string; problem?: string; at: string }[];
  flow?: FlowGraph;
  /** The command that goes on from here, where there is one. */
  next?: string;
  /** Workers of a fleet work on it: it goes on without the project's files here. */
  is_of_fleet?: boolean;
  /** The last event that this view has seen; the stream goes on after it. */
  seq: number;
}

/** A record whose statements were turned into texts. */
export type Readable<T> = T extends { code: string; params: unknown }
  ? string
  : T extends readonly (infer Item)[]
    ? Readable<Item>[]
    : T extends object
      ? { [Key in keyof T]: Readable<T[Key]> }
      : T;

/** A line of the live stream. `line`: what `e8 watch` would print of it, without colours; absent where it prints nothing. */
export interface StreamedEvent {
  seq: number;
  at: string;
  event: Readable<RunEvent>;
  line?: string;
}

/** Two iterations, 0 being the start, and what changed between them, as git's patch. */
export interface DiffView {
  from: number;
  to: number;
  files: ChangedFile[];
  diff: string;
  /** The patch was longer than what is shown. */
  is_cut: boolean;
}

export interface KnowledgeView {
  entries: Knowledge[];
}

/** The backlog: issues by phase, what runs, what waits for its landing, what is blocked and why. */
export interface BacklogView {
  items: BacklogItem[];
  /** Before each base, who lands first. */
  lanes: { base: string; waiting: number[] }[];
}

export interface BacklogItem {
  issue: number;
  title: string;
  phase?: string;
  doing: string;
  problem?: string;
  row?: TaskRow;
  turns: { task_id: TaskId; agent?: string; phase?: string; outcome?: string }[];
}

/** What the page asks the server to do. Each is a command of the command line, too. */
export const DashboardAction = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("answer"), answers: z.array(z.string()).min(1).max(50) }),
  z.strictObject({ do: z.literal("tell"), text: z.string().min(1).max(12_000) }),
  z.strictObject({ do: z.literal("pause") }),
  z.strictObject({ do: z.literal("resume") }),
  z.strictObject({ do: z.literal("cancel") }),
  z.strictObject({ do: z.literal("fork"), from: z.int().min(0) }),
  z.strictObject({ do: z.literal("rollback"), to: z.int().min(0) }),
]);
export type DashboardAction = z.infer<typeof DashboardAction>;

/** A new task, as `e8 init` asks for it. */
export const DashboardTask = z.strictObject({
  project: z.string(),
  task: z.string().min(1).max(100_000),
  criteria: z.array(z.string().min(1)).max(100).default([]),
  checks: z.array(z.string().min(1)).max(100).default([]),
  max_iterations: z.int().min(1).max(100).optional(),
  max_cost: z.number().positive().optional(),
});
export type DashboardTask = z.infer<typeof DashboardTask>;

/** What came of an action: a sentence, and the task to look at now. */
export interface ActionOutcome {
  said: string;
  task_id?: TaskId;
}

/** A report that stands alone: the same page with its data in it. */
export interface ReportData {
  language: Language;
  made_at: string;
  view: TaskView;
  evidence: CellEvidence[];
  diffs: DiffView[];
  knowledge: Knowledge[];
}
