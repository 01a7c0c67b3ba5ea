import { z } from "zod";
import { Configuration } from "./configuration.ts";
import { Digests } from "./digests.ts";
import { isRecord } from "./json.ts";
import { IntakeResult } from "./roles.ts";

/** `2026-01-23T13-30-00`, and `-2`, `-3` … where two tasks began in one second. */
export const TaskId = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(-\d+)?$/);
export type TaskId = z.infer<typeof TaskId>;

/** One question of the intake and what the user said to it. */
export const Answer = z.object({ question: z.string(), answer: z.string() });
export type Answer = z.infer<typeof Answer>;

/** What the user asked for and what the intake made of it. Resume needs nothing else. */
const TaskRecord = z.object({
  version: z.literal(1),
  task_id: TaskId,
  created_at: z.string(),
  project: z.string(),
  configuration: Configuration,
  /** The intake's last word; `null` until it was asked, once its questions were answered, and where it is not asked at all. */
  intake: IntakeResult.nullable(),
  answers: z.array(Answer),
  /** For a flow: which one, and what it was called with. */
  flow: z
    .object({
      name: z.string(),
      directory: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      stdin: z.string(),
      /** What its own files were when the task began. */
      files: Digests.optional(),
    })
    .nullable()
    .default(null),
  /** The story that plays its model, where one does: resuming the task plays it again. */
  script: z.string().optional(),
  /** What the files of `unchanged` criteria were before anybody worked, by the patterns that name them. */
  baseline: z.record(z.string(), Digests).optional(),
  /** How far the one effect of the version before had come. Effect records say it now; never written. */
  boundary: z.enum(["begun", "done"]).nullable().default(null),
});
/** The version before said `agent` for a flow. */
export const Task = z.preprocess(
  (stored) =>
    isRecord(stored) && "agent" in stored && !("flow" in stored) ? { ...stored, flow: stored.agent } : stored,
  TaskRecord,
);
export type Task = z.infer<typeof Task>;

/**
 * A task whose open questions were answered: the intake is to look again, and its questions are not open any more. What it has
 * accepted by then, because somebody else was faster, stands.
 */
export function answered(task: Task, answers: readonly Answer[]): Pick<Task, "answers" | "intake"> {
  const intake = task.intake?.status === "accepted" ? task.intake : null;
  return { answers: [...task.answers, ...answers], intake };
}
