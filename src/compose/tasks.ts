import type { Flags } from "../configuration/task/flags.ts";
import { type Layers, resolveConfiguration } from "../configuration/task/layers.ts";
import { systemClock } from "../connection/clock.ts";
import { absolute, nameIn, readTextFile, readTextFileIfThere, within } from "../connection/files.ts";
import { requireProject, SETTINGS_FILE } from "../connection/project.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import type { EventEnvelope } from "../model/events.ts";
import { type Notice, type NoticeOf, notice } from "../model/notices.ts";
import type { LoopResult } from "../model/records.ts";
import type { ClarificationQuestion } from "../model/roles.ts";
import { type Answer, answered } from "../model/task.ts";
import { requireAccepted, requireAcceptedFlow } from "./accepting.ts";
import { agentSettings } from "./agent-settings.ts";
import { getReady } from "./context.ts";
import { requireAgents } from "./requirements.ts";
import { runIn } from "./run-in.ts";
import type { RunOptions } from "./run-options.ts";
import { findTask, futureTasks, storeOf } from "./store.ts";

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
  /** What the user should know about how the settings were joined. */
  notices: Notice[];
  /** Absolute. */
  task_file?: string;
}

export async function configure({ project, config, flags, environment }: TaskRequest): Promise<ConfiguredTask> {
  if (config === undefined) return configureWith({ flags, environment }, project);
  const task_file = absolute(config);
  const taskFile = await readTextFile(task_file);
  return { ...(await configureWith({ flags, taskFile, environment }, project)), task_file };
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

/** JSON cannot hold NaN, and `null` would mean "no limit". */
function jsonOf(task: object): string {
  try {
    return JSON.stringify(task, (_, value) => (Number.isNaN(value) ? "NaN" : value)) ?? "";
  } catch (error) {
    throw new E8Error("configuration_invalid", { file: GIVEN, problems: String(error) }, { cause: error });
  }
}

export async function configureWith(layers: Omit<Layers, "agents">, directory: string): Promise<ConfiguredTask> {
  const project = absolute(directory);
  await requireProject(project);
  const projectFile = await readTextFileIfThere(within(project, SETTINGS_FILE));
  return { project, ...resolveConfiguration({ ...layers, projectFile, agents: agentSettings }, project) };
}

/** `script`: a story to play the model from, now and when the task is resumed. */
export async function* startTask(
  { script, ...configured }: ConfiguredTask & { script?: string | undefined },
  options: RunOptions = {},
): AsyncGenerator<EventEnvelope, LoopResult> {
  if (script === undefined) return yield* beginTask(configured, options);
  const { playing } = await import("./scripted.ts");
  const story = absolute(script);
  const outer = options.environment ?? process.env;
  return yield* playing(story, outer, (environment) => beginTask(configured, { ...options, environment }, story));
}

/** `script`: the story that the model is played from already. */
export async function* beginTask(
  { project, configuration, notices, task_file }: ConfiguredTask,
  options: RunOptions,
  script?: string,
): AsyncGenerator<EventEnvelope, LoopResult> {
  await requireAgents({ configuration, project, environment: options.environment ?? process.env });
  await requireAccepted({ project, taskFile: options.taskFile && nameIn(project, options.taskFile) }, options);
  const store = storeOf(project);
  const isFresh = options.fresh || script !== undefined;
  const before = isFresh ? undefined : await unfinishedBefore({ project, configuration });
  if (before) {
    const resumed = { is: "resumed", configuration, notices: [before, ...notices] } as const;
    return yield* runIn({ store, id: before.params.id }, resumed, options);
  }
  getReady(configuration); // while the disk is written
  const id = await store.create({ configuration, now: systemClock.now(), script, task_file });
  return yield* runIn({ store, id }, { is: "new", notices }, options);
}

/**
 * Names the unfinished task that the file of `persist` has records of, where its task, criteria and working directory are the same. The
 * latest such task decides: after a completed one, a run starts anew. Unreadable tasks do not count.
 */
export async function unfinishedBefore({
  project,
  configuration,
}: Pick<ConfiguredTask, "project" | "configuration">): Promise<NoticeOf<"going_on"> | undefined> {
  const { persist } = configuration;
  if (persist === null) return undefined;
  const store = storeOf(project);
  for (const id of (await store.copiedTo(persist)).reverse()) {
    const past = await store.past(id).catch(() => undefined);
    if (!past || past.task.flow || past.task.script !== undefined) continue;
    if (sameness(past.task.configuration) !== sameness(configuration)) continue;
    return past.status === "completed" ? undefined : notice("going_on", { id, file: persist });
  }
  return undefined;
}

function sameness({ task, criteria, working_directory }: Configuration): string {
  return JSON.stringify([task, criteria, working_directory]);
}

export interface ResumeRequest {
  project: string;
  /** Its id, a part of it that no other has, or `latest`, which it is where absent. */
  id?: string | undefined;
  /** Settings that change from now on. */
  flags?: Flags | undefined;
}

export async function* resumeTask(
  request: ResumeRequest,
  options: RunOptions = {},
): AsyncGenerator<EventEnvelope, LoopResult> {
  const project = absolute(request.project);
  const id = await findTask(project, request.id);
  const notices = request.id === undefined ? await futureTasks(project) : [];
  const { flow } = await storeOf(project).read(id);
  if (flow) await requireAcceptedFlow(project, flow.directory, options);
  return yield* runIn({ store: storeOf(project), id }, { is: "resumed", flags: request.flags, notices }, options);
}

/** The questions that a task waits for. Throws while it runs: they are asked there. */
export async function openQuestions(project: string, id: string): Promise<ClarificationQuestion[]> {
  const store = storeOf(absolute(project));
  const { intake } = await store.read(id);
  const questions = intake?.status === "needs_clarification" ? intake.clarification_questions : [];
  const holder = await store.holder(id);
  if (holder) throw new E8Error("answered_elsewhere", { id, ...holder, count: questions.length });
  if (questions.length === 0) throw new E8Error("nothing_to_answer", { id });
  return questions;
}

interface AnswerRequest {
  project: string;
  id: string;
  answers: Answer[];
}

export async function* answerTask(
  { project, id, answers }: AnswerRequest,
  options: RunOptions = {},
): AsyncGenerator<EventEnvelope, LoopResult> {
  return yield* runIn({ store: storeOf(absolute(project)), id }, { is: "resumed", answers }, options);
}

/** Keeps answers to some of the questions. The others stay open, and nothing is run. */
export async function keepAnswers({ project, id, answers }: AnswerRequest): Promise<void> {
  const task = await storeOf(absolute(project)).open(id);
  try {
    await task.save(answered(task.task, answers));
  } finally {
    await task.release();
  }
}

/** Asks the run of a task to stop, wherever it runs. False when it is still winding down. */
export function cancelTask(project: string, id: string): Promise<boolean> {
  return storeOf(absolute(project)).cancel(id);
}

export { requireAgents, requirePlace } from "./requirements.ts";
export type { RunOptions } from "./run-options.ts";
export { findTask, onlyAsking, onlyRunning } from "./store.ts";
