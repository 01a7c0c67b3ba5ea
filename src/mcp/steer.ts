import { z } from "zod";
import { startDetachedRun } from "../compose/detached.ts";
import { tellTask } from "../compose/steering.ts";
import { cancelTask, findTask, onlyAsking, onlyRunning, openQuestions } from "../compose/tasks.ts";
import { E8Error } from "../model/errors.ts";
import { type Door, projectOf } from "./door.ts";
import { TaskChoice } from "./look.ts";
import { done } from "./results.ts";

export const AnswerTask = TaskChoice.extend({
  task_id: z.string().max(60).optional().describe("the only task with open questions where absent"),
  answers: z
    .array(z.string().trim().min(1).max(4_000))
    .min(1)
    .max(20)
    .describe("one for each open question, in their order; the number of a suggested answer will do"),
});
export type AnswerTask = z.infer<typeof AnswerTask>;

export const TellTask = TaskChoice.extend({
  task_id: z.string().max(60).optional().describe("the only running task where absent"),
  note: z.string().trim().min(1).max(12_000).describe("what the next worker is to know"),
});
export type TellTask = z.infer<typeof TellTask>;

export const Steered = z.object({
  task_id: z.string(),
  is_done: z.boolean().describe("false: it was asked, and takes effect later"),
  message: z.string(),
});

/** The run goes on in a process of its own as soon as all questions are answered. */
export async function answerTask({ task_id, project: named, answers }: AnswerTask, door: Door) {
  const project = await projectOf(door, named);
  const id = task_id === undefined ? await onlyAsking(project) : await findTask(project, task_id);
  const { length: count } = await openQuestions(project, id);
  if (answers.length !== count) throw new E8Error("answers_missing", { id, count });
  await startDetachedRun({
    project,
    words: ["answer", id, ...answers.map((answer) => `--answer=${answer}`)],
    language: door.texts.language,
    environment: door.environment,
  });
  return done(door.texts.doors.answered(id), { task_id: id, is_done: true });
}

export async function tellWorker({ task_id, project: named, note }: TellTask, { ...door }: Door) {
  const told = await tellTask({ project: await projectOf(door, named), id: task_id }, note);
  const { told: now, toldStopped } = door.texts.steering;
  return done(told.isDone ? now(told.id) : toldStopped(told.id), { task_id: told.id, is_done: told.isDone });
}

export async function cancel({ task_id, project: named }: TaskChoice, door: Door) {
  const project = await projectOf(door, named);
  const id = task_id === undefined ? await onlyRunning(project) : await findTask(project, task_id);
  const is_done = await cancelTask(project, id);
  return done(is_done ? door.texts.cancelled(id) : door.texts.cancelPending(id), { task_id: id, is_done });
}
