import { z } from "zod";
import { findTask, overviews, readPast } from "../compose/looking-back.ts";
import { errorText } from "../texts/sentences.ts";
import { type Door, projectOf } from "./door.ts";
import { said } from "./results.ts";
import { cut, taskFacts } from "./task-facts.ts";
import { statusText, taskText } from "./task-text.ts";

/** Which task is meant, in which project. */
export const TaskChoice = z.object({
  task_id: z.string().max(60).optional().describe("an id or a part of one; the latest task where absent"),
  project: z.string().optional().describe("the project's directory; the server's own where absent"),
});
export type TaskChoice = z.infer<typeof TaskChoice>;

export const ListTasks = z.object({
  status: z.string().max(40).optional().describe("only tasks of this status: running, completed, stalled, …"),
  limit: z.int().min(1).max(200).default(20).describe("the latest so many"),
  project: TaskChoice.shape.project,
});
export type ListTasks = z.infer<typeof ListTasks>;

const Listed = z.object({
  task_id: z.string(),
  status: z.string(),
  task: z.string(),
  iterations: z.int(),
  criteria_met: z.int(),
  criteria: z.int(),
  cost_usd: z.number(),
});
type Listed = z.infer<typeof Listed>;
export const TaskList = z.object({ project: z.string(), tasks: z.array(Listed), left_out: z.int() });

const TASK_SHOWN = 120;

export async function listTasks({ status, limit, project: named }: ListTasks, door: Door) {
  const project = await projectOf(door, named);
  const all = (await overviews(project)).map((one) => listed(one, door)).reverse();
  const wanted = all.filter((one) => status === undefined || one.status === status);
  const tasks = wanted.slice(0, limit);
  const lines = tasks.map((one) => {
    const met = one.criteria > 0 ? `${one.criteria_met}/${one.criteria}` : "-";
    return `${one.task_id}  ${statusText(one, door.texts)}  ${met}  ${one.task}`;
  });
  const text = lines.length > 0 ? lines.join("\n") : door.texts.list.empty;
  return said(text, { project, tasks, left_out: wanted.length - tasks.length });
}

function listed(one: Awaited<ReturnType<typeof overviews>>[number], { texts: { language } }: Door): Listed {
  if ("error" in one) {
    const task = cut(errorText(one.error, language).message, TASK_SHOWN);
    return {
      task_id: one.task_id,
      status: "unreadable",
      task,
      iterations: 0,
      criteria_met: 0,
      criteria: 0,
      cost_usd: 0,
    };
  }
  const { task_id, configuration } = one.task;
  return {
    task_id,
    status: one.status,
    task: cut(configuration.task.replaceAll(/\s+/g, " ").trim(), TASK_SHOWN),
    iterations: one.iterations,
    criteria_met: one.criteria_met,
    criteria: configuration.criteria.length,
    cost_usd: one.spent.cost_usd,
  };
}

export async function getTask({ task_id, project: named }: TaskChoice, door: Door) {
  const project = await projectOf(door, named);
  const facts = taskFacts(await readPast(project, await findTask(project, task_id)), door);
  return said(taskText(facts, door), facts);
}
