import { z } from "zod";
import { startDetachedRun } from "../compose/detached.ts";
import { findTask } from "../compose/looking-back.ts";
import { E8Error } from "../model/errors.ts";
import { type Door, fileIn, projectOf } from "./door.ts";
import { done } from "./results.ts";

const text = z.string().trim().min(1).max(20_000);
const texts = z.array(text).max(50).default([]);

export const RunTask = z.object({
  task: text.optional().describe("what is to be done, in words"),
  criteria: texts.describe("what must be true then, one sentence each; a judge decides"),
  checks: texts.describe("commands that must exit 0, such as `npm test`; they run in the project"),
  unchanged: texts.describe("patterns of files that must stay as they are, such as `test/**`"),
  task_file: text.optional().describe("a task.yaml in the project, in the place of `task`"),
  resume: text.optional().describe("the id of a task that has stopped, to go on with it, in the place of `task`"),
  max_iterations: z.int().min(1).max(1000).optional(),
  max_cost_usd: z.number().positive().optional(),
  max_minutes: z.number().positive().optional(),
  until: z.string().max(40).optional().describe("stop at this time, such as 07:00"),
  agent: z.string().max(200).optional().describe("who works, such as claude or codex"),
  model: z.string().max(200).optional(),
  worktree: z
    .boolean()
    .default(false)
    .describe("work on a branch and in a worktree of its own, and merge what is proved"),
  project: z.string().optional().describe("the project's directory; the server's own where absent"),
});
export type RunTask = z.infer<typeof RunTask>;

export const RunStarted = z.object({ task_id: z.string(), project: z.string(), message: z.string() });

/** Starts a run that goes on when this server has ended. What the model wrote is handed over as data: on stdin, or behind a `=`. */
export async function runTask(call: RunTask, door: Door) {
  const project = await projectOf(door, call.project);
  const task_id = await startDetachedRun({
    project,
    words: [...(await begunBy(call, project)), ...limits(call)],
    input: call.task,
    language: door.texts.language,
    environment: door.environment,
  });
  return done(door.texts.doors.started(task_id), { task_id, project });
}

async function begunBy(call: RunTask, project: string): Promise<string[]> {
  const { task, task_file, resume, criteria, checks, unchanged, worktree } = call;
  if ([task, task_file, resume].filter((one) => one !== undefined).length !== 1) throw new E8Error("task_choice", {});
  if (resume !== undefined) return ["resume", await findTask(project, resume)];
  return [
    "run",
    ...(task_file === undefined ? ["-"] : [`--config=${await fileIn(project, task_file)}`]),
    ...criteria.map((one) => `--criteria=${one}`),
    ...checks.map((one) => `--check=${one}`),
    ...unchanged.map((one) => `--unchanged=${one}`),
    ...(worktree ? ["--worktree"] : []),
  ];
}

function limits({ max_iterations, max_cost_usd, max_minutes, until, agent, model }: RunTask): string[] {
  const flags = {
    "max-iterations": max_iterations,
    "max-cost": max_cost_usd,
    "max-time": max_minutes,
    until,
    agent,
    model,
  };
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
}
