import { z } from "zod";
import { Configuration } from "./configuration.ts";
import { Digests } from "./digests.ts";
import { isRecord } from "./json.ts";
import { ProtectedChange } from "./proof-record.ts";
import { type ClarificationQuestion, IntakeResult } from "./roles.ts";

/** `2026-01-23T13-30-00`, and `-2`, `-3` … where two tasks began in one second. */
export const TaskId = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(-\d+)?$/);
export type TaskId = z.infer<typeof TaskId>;

const TOLERATED_MILLISECONDS = 60_000;

/** Whether a task is dated after now, by more than clocks differ. Such a task is not the latest. */
export function isInFuture({ task_id, created_at }: { task_id: TaskId; created_at?: string }, now: Date): boolean {
  const [, day, time = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)/.exec(task_id) ?? [];
  const moments = [`${day}T${time.replaceAll("-", ":")}Z`, ...(created_at === undefined ? [] : [created_at])];
  return moments.some((moment) => Date.parse(moment) > now.getTime() + TOLERATED_MILLISECONDS);
}

/** A question of the intake and the user's answer. */
export const Answer = z.object({
  question: z.string(),
  answer: z.string(),
  /** The number of the criterion that the question is about, where the intake has told it. */
  criterion: z.int().optional(),
});
export type Answer = z.infer<typeof Answer>;

/** The branch and worktree that a task works in, where it has its own. */
export const BranchPlace = z.object({
  branch: z.string(),
  /** The branch that the work lands on, and the remote that has it; `null`: this repository. */
  base: z.string(),
  remote: z.string().nullable(),
  /** Where the work began. */
  base_commit: z.string(),
  /** The worktree's top directory. */
  worktree: z.string(),
  /** False while it is being made. */
  is_made: z.boolean(),
  is_set_up: z.boolean().optional(),
  /** The branch's last commit, where branch and worktree were removed with work in them. A ref of ours keeps it. */
  tip: z.string().optional(),
});
export type BranchPlace = z.infer<typeof BranchPlace>;

/** Where a task that any machine may work on gets its files. Each machine makes a checkout of its own. */
export const RemoteRepository = z.object({
  /** Without a password. */
  url: z.string(),
  /** The branch that the work starts from and lands on. */
  base: z.string(),
  /** The project's directory in the repository; empty: its top. */
  path: z.string().default(""),
  /** Where the work began: the base's tip when a machine first took the task. */
  base_commit: z.string().optional(),
});
export type RemoteRepository = z.infer<typeof RemoteRepository>;

/** One of several runs of the same task, each by another agent. */
export const Contest = z.object({
  /** The id of the comparison is that of its first task. Absent: this is the first. */
  id: TaskId.optional(),
  number: z.int().min(1),
  of: z.int().min(1),
  /** As it was named: `codex`, `claude@opus`. */
  agent: z.string(),
  /** All of them begin here, wherever the base is by then. */
  base_commit: z.string(),
  /** What happens to the work that is kept. Until then, nothing does. */
  finalize: z.object({ merge: z.boolean(), push: z.boolean(), create_pr: z.boolean() }),
});
export type Contest = z.infer<typeof Contest>;

/** The user's request and the intake's result: all that a resumed run needs besides the records. */
const TaskRecord = z.object({
  version: z.literal(1),
  task_id: TaskId,
  created_at: z.string(),
  project: z.string(),
  configuration: Configuration,
  /** The intake's last result; `null` before it was asked, after its questions were answered, and without an intake. */
  intake: IntakeResult.nullable(),
  answers: z.array(Answer),
  /** For a flow: its name and parameters. */
  flow: z
    .object({
      name: z.string(),
      directory: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      stdin: z.string(),
      /** Its own files when the task began. */
      files: Digests.optional(),
    })
    .nullable()
    .default(null),
  /** The task file that the run was started with; absolute. */
  task_file: z.string().optional(),
  /** The issue that the task is made from, and the phase of the backlog's workflow. */
  issue: z.object({ number: z.int().min(1), title: z.string(), phase: z.string().optional() }).optional(),
  /** Absent: the task is not part of a comparison. */
  comparison: Contest.optional(),
  /** Absent: the task works in the project itself. */
  place: BranchPlace.optional(),
  /** Absent: the task works where it was given. */
  repository: RemoteRepository.optional(),
  /** The story that plays the model, also when the task is resumed. */
  script: z.string().optional(),
  /** The files of `unchanged` criteria when the task began, by their patterns. */
  baseline: z.record(z.string(), Digests).optional(),
  /** The state of the files before the first work, as the workspace names it. Absent where it could not be kept. */
  start: z.string().optional(),
  /** The same with the protected files of before an earlier task that was not completed, where that has changed them. */
  protected_start: z.string().optional(),
  /** What the checks found outside the project before the first work: programs, and settings in HOME. */
  toolchain: Digests.optional(),
  /** What a run that was not completed has left different outside the snapshots: as it was then, `null` for what was gone. */
  left: z
    .object({
      toolchain: z.record(z.string(), z.string().nullable()),
      ignored: z.array(ProtectedChange),
      at: z.string(),
    })
    .optional(),
  /** Of the files that git ignores, those that an earlier task has left so and that checks would rest on. */
  suspect_ignored: z.array(ProtectedChange).optional(),
  /** The machine that these two are of, and what they were on others, where several have worked on the task. */
  machine: z.string().optional(),
  tools: z
    .record(z.string(), z.object({ toolchain: Digests.optional(), model_settings: Digests.optional() }))
    .optional(),
  /** The settings with which judges and reviewers reach their model, before the first work. */
  model_settings: Digests.optional(),
  /** Which checks passed before the first work, by their number. */
  before: z.record(z.string(), z.boolean()).optional(),
  /** How many tests the checks ran before the first work, by their number, where their output said so. */
  tests_before: z.record(z.string(), z.number()).optional(),
  /** What those checks did, by their number: a check that the user has changed since is another one. Absent in earlier versions. */
  checked_before: z.record(z.string(), z.string()).optional(),
  /** The issues and pull requests that a flow works on, as they were when the task began: they say what is asked for. */
  issues: z
    .array(z.object({ kind: z.enum(["issue", "pr"]), number: z.int(), title: z.string(), body: z.string() }))
    .optional(),
  /** All checks passed before the first work, so the task's own text is a criterion, too. */
  judges_text: z.boolean().optional(),
  /** The effect of an earlier version; replaced by effect records, never written. */
  boundary: z.enum(["begun", "done"]).nullable().default(null),
});
/** An earlier version called `flow` `agent`. */
export const Task = z.preprocess(
  (stored) =>
    isRecord(stored) && "agent" in stored && !("flow" in stored) ? { ...stored, flow: stored.agent } : stored,
  TaskRecord,
);
export type Task = z.infer<typeof Task>;

/** The id of the comparison that a task is part of: that of its first task. */
export function comparisonId({ task_id, comparison }: Pick<Task, "task_id" | "comparison">): TaskId {
  return comparison?.id ?? task_id;
}

/**
 * Adds answers. Questions that are left stay open; without any, the intake looks again. A result that the intake has accepted
 * meanwhile stays.
 */
export function answered(task: Task, answers: readonly Answer[]): Pick<Task, "answers" | "intake"> {
  const { intake } = task;
  const questions = intake?.clarification_questions ?? [];
  const placed = answers.map((answer, index) => {
    const asks = ({ question }: ClarificationQuestion) => question === answer.question;
    const criterion = [...questions.slice(index), ...questions].find(asks)?.criterion; // two may have the same words
    return { ...answer, ...(criterion != null && { criterion }) };
  });
  const open = questions.filter(({ question }) => !answers.some((one) => one.question === question));
  const rest = intake && answers.length < questions.length ? { ...intake, clarification_questions: open } : null;
  return { answers: [...task.answers, ...placed], intake: intake?.status === "accepted" ? intake : rest };
}
