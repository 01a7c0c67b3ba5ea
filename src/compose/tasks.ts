import type { Flags } from "../configuration/flags.ts";
import { type Layers, resolveConfiguration } from "../configuration/layers.ts";
import { systemClock } from "../connection/clock.ts";
import { absolute, readTextFile, readTextFileIfThere, within } from "../connection/files.ts";
import { createTask } from "../connection/stores/create-task.ts";
import { readLock } from "../connection/stores/lock.ts";
import { latestTask, openTask, requireProject } from "../connection/stores/task-directory.ts";
import { taskPaths } from "../connection/stores/task-paths.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import type { LoopResult } from "../model/records.ts";
import type { ClarificationQuestion } from "../model/roles.ts";
import type { Answer } from "../model/task.ts";
import { requireAgents } from "./require-agents.ts";
import { type RunOptions, runIn } from "./run-in.ts";

/** What a run is made of, before anything is started. */
export interface TaskRequest {
  project: string;
  /** A task.yaml. */
  config?: string | undefined;
  flags: Flags;
  environment: Environment;
}

export interface ConfiguredTask {
  project: string;
  configuration: Configuration;
  /** Where each value came from, by its dotted path. */
  sources: Record<string, string>;
}

export async function configure({ project, config, flags, environment }: TaskRequest): Promise<ConfiguredTask> {
  const taskFile = config === undefined ? undefined : await readTextFile(absolute(config));
  return configureWith({ flags, taskFile, environment }, project);
}

/** A task given as data is held to the same rules as a task file. */
export async function configureTask(
  task: object,
  project: string,
  environment: Environment = process.env,
): Promise<ConfiguredTask> {
  return configureWith({ taskFile: { name: GIVEN, text: jsonOf(task) }, environment }, project);
}

const GIVEN = "the task";

/** JSON has no word for NaN, and its `null` would mean that there is no limit. */
function jsonOf(task: object): string {
  try {
    return JSON.stringify(task, (_, value) => (Number.isNaN(value) ? "NaN" : value)) ?? "";
  } catch (error) {
    throw new E8Error("configuration_invalid", { file: GIVEN, problems: String(error) }, { cause: error });
  }
}

export async function configureWith(layers: Layers, directory: string): Promise<ConfiguredTask> {
  const project = absolute(directory);
  await requireProject(project);
  const projectFile = await readTextFileIfThere(within(project, "endless8.yaml"));
  return { project, ...resolveConfiguration({ ...layers, projectFile }, project) };
}

/** `script`: the story that the caller plays the model from, through the environment; resuming the task plays it again. */
export async function* startTask(
  { project, configuration, script }: ConfiguredTask & { script?: string },
  options: RunOptions = {},
): AsyncGenerator<RunEvent, LoopResult> {
  await requireAgents({ configuration, project, environment: options.environment ?? process.env });
  const directory = await createTask(project, { configuration, now: systemClock.now(), script });
  return yield* runIn(directory, { is: "new" }, options);
}

export interface ResumeRequest {
  project: string;
  /** The latest task where absent. */
  id?: string | undefined;
  /** What is to be different from now on. */
  flags?: Flags | undefined;
}

export async function* resumeTask(
  request: ResumeRequest,
  options: RunOptions = {},
): AsyncGenerator<RunEvent, LoopResult> {
  const project = absolute(request.project);
  const directory = await openTask(project, request.id ?? (await latestTask(project)));
  return yield* runIn(directory, { is: "resumed", flags: request.flags }, options);
}

/** The questions that keep a task from being begun. While it runs, they are being asked elsewhere: nobody should type in vain. */
export async function openQuestions(project: string, id: string): Promise<ClarificationQuestion[]> {
  const { task, path } = await openTask(absolute(project), id);
  const questions = task.intake?.status === "needs_clarification" ? task.intake.clarification_questions : [];
  const holder = await readLock(taskPaths(path).lock);
  if (holder) {
    const { pid, host, since } = holder;
    throw new E8Error("answered_elsewhere", { id, pid, host, since, count: questions.length });
  }
  if (questions.length === 0) throw new E8Error("nothing_to_answer", { id });
  return questions;
}

export async function* answerTask(
  { project, id, answers }: { project: string; id: string; answers: Answer[] },
  options: RunOptions = {},
): AsyncGenerator<RunEvent, LoopResult> {
  const directory = await openTask(absolute(project), id);
  return yield* runIn(directory, { is: "resumed", answers }, options);
}

export { pipeNotices } from "../configuration/pipes.ts";
export { cancelTask } from "../connection/stores/cancel-task.ts";
export { requirePlace } from "./place.ts";
export { requireAgents } from "./require-agents.ts";
export type { RunOptions } from "./run-in.ts";
