import type { Flags } from "./configuration/flags.ts";
import { type Layers, resolveConfiguration, withFlags } from "./configuration/layers.ts";
import { createAgents } from "./connection/agents/create-agents.ts";
import { systemClock } from "./connection/clock.ts";
import { createCommandRunner } from "./connection/commands/command-runner.ts";
import { endOrphans } from "./connection/commands/process-tree.ts";
import { absolute, readTextFile, readTextFileIfThere, within } from "./connection/files.ts";
import { demoStory, demoTask } from "./connection/models/scripted/demo-story.ts";
import type { Ask, Ports } from "./connection/ports.ts";
import { readPrompts } from "./connection/prompt-files.ts";
import { createTask } from "./connection/stores/create-task.ts";
import { openStores, type Stores } from "./connection/stores/open-stores.ts";
import { latestTask, openTask, requireProject, type TaskDirectory } from "./connection/stores/task-directory.ts";
import { createWorkspace } from "./connection/workspace/workspace.ts";
import { goalCourse } from "./execution/goal-course.ts";
import { Meter } from "./execution/meter.ts";
import { run } from "./execution/run.ts";
import { PROMPT_NAMES, type RunContext } from "./execution/run-context.ts";
import { fold } from "./execution/state.ts";
import type { Configuration } from "./model/configuration.ts";
import { E8Error } from "./model/errors.ts";
import type { RunEvent } from "./model/events.ts";
import { type Notice, notice } from "./model/notices.ts";
import { languageOf, phrases } from "./model/phrases.ts";
import type { LoopResult } from "./model/records.ts";
import type { ClarificationQuestion } from "./model/roles.ts";
import { NOTHING_DONE, type RunState } from "./model/state.ts";
import type { Answer } from "./model/task.ts";
import { addUsage, NOTHING_SPENT, type Usage } from "./model/usage.ts";

/** What a run is made of, before anything is started. */
export interface TaskRequest {
  project: string;
  /** A task.yaml. */
  config?: string | undefined;
  flags: Flags;
  environment: Readonly<Record<string, string | undefined>>;
}

export interface ConfiguredTask {
  project: string;
  configuration: Configuration;
  /** Where each value came from, by its dotted path. */
  sources: Record<string, string>;
}

export interface RunOptions {
  /** Cancels: the run winds down and can be resumed. */
  signal?: AbortSignal | undefined;
  /** Ends at once what is still winding down. */
  hurry?: AbortSignal | undefined;
  /** Puts the intake's questions to somebody. Without it, a task with open questions ends as clarification_needed. */
  ask?: Ask | undefined;
  /** The environment of agents and checks. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export async function configure({ project, config, flags, environment }: TaskRequest): Promise<ConfiguredTask> {
  const taskFile = config === undefined ? undefined : await readTextFile(absolute(config));
  return configureWith({ flags, taskFile, environment }, project);
}

/** A task given as data is held to the same rules as a task file. */
export async function configureTask(task: object, project: string): Promise<ConfiguredTask> {
  return configureWith(
    { taskFile: { name: "the task", text: JSON.stringify(task) }, environment: process.env },
    project,
  );
}

async function configureWith(layers: Layers, directory: string): Promise<ConfiguredTask> {
  const project = absolute(directory);
  await requireProject(project);
  const projectFile = await readTextFileIfThere(within(project, "endless8.yaml"));
  return { project, ...resolveConfiguration({ ...layers, projectFile }, project) };
}

export async function* startTask(
  { project, configuration }: ConfiguredTask,
  options: RunOptions = {},
): AsyncGenerator<RunEvent, LoopResult> {
  const directory = await createTask(project, { configuration, now: systemClock.now() });
  return yield* runIn(directory, "begun", options);
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
  return yield* runIn(directory, { flags: request.flags }, options);
}

/** What is different from now on. */
interface Change {
  flags?: Flags | undefined;
  answers?: Answer[];
}

/** A task that was just made has no past, and nothing left over from one. */
type Start = "begun" | Change;

async function* runIn(
  directory: TaskDirectory,
  start: Start,
  options: RunOptions,
): AsyncGenerator<RunEvent, LoopResult> {
  const stores = await openStores(directory);
  const hurry = () => void endOrphans(directory.path, 0);
  options.hurry?.addEventListener("abort", hurry, { once: true });
  try {
    const past = await pastOf(stores);
    if (past.result?.status === "completed") return past.result;
    if (start !== "begun") await applyChange(stores, start);
    const context = await contextOf(stores, directory, { past, options });
    yield runStart(stores, past.state);
    if (start !== "begun") yield* sweep(directory);
    return yield* withNotices(run(goalCourse(context), context, past.state), stores.notices);
  } finally {
    options.hurry?.removeEventListener("abort", hurry);
    await stores.release();
  }
}

async function applyChange({ files }: Stores, { flags, answers }: Change): Promise<void> {
  if (flags) await files.save({ configuration: withFlags(files.task.configuration, flags) });
  if (answers) await files.save({ answers: [...files.task.answers, ...answers] });
}

/** We hold the task's lock: whoever still carries its mark was left behind by a run that was killed. */
async function* sweep(directory: TaskDirectory): AsyncGenerator<RunEvent, void> {
  const count = await endOrphans(directory.path);
  if (count > 0) yield { type: "notice", notice: notice("orphans_ended", { count }) };
}

/** Says what the stores have to say as soon as they say it. */
async function* withNotices(
  events: AsyncGenerator<RunEvent, LoopResult>,
  notices: Notice[],
): AsyncGenerator<RunEvent, LoopResult> {
  try {
    for (;;) {
      for (const one of notices.splice(0)) yield { type: "notice", notice: one };
      const step = await events.next();
      if (step.done) return step.value;
      yield step.value;
    }
  } finally {
    await events.return(undefined as never);
  }
}

interface Past {
  state: RunState;
  spent: Usage;
  result: LoopResult | undefined;
}

/** Resume is this: read the records, then go on. */
async function pastOf({ history, ledger }: Stores): Promise<Past> {
  const past: Past = { state: NOTHING_DONE, spent: NOTHING_SPENT, result: undefined };
  for await (const record of history.records()) {
    past.state = fold(past.state, record);
    past.result = record.type === "final_result" ? record : undefined;
  }
  for await (const spending of ledger.entries()) {
    past.spent = addUsage(past.spent, spending);
  }
  return past;
}

async function contextOf(
  stores: Stores,
  directory: TaskDirectory,
  { past, options }: { past: Past; options: RunOptions },
): Promise<RunContext> {
  const { configuration } = stores.files.task;
  const environment = options.environment ?? process.env;
  const placed = { configuration, directory, environment };
  const ports: Ports = {
    agents: createAgents(placed),
    commands: createCommandRunner({
      project: configuration.working_directory,
      environment,
      task_token: directory.path,
    }),
    history: stores.history,
    knowledge: stores.knowledge,
    ledger: stores.ledger,
    files: stores.files,
    workspace: createWorkspace(configuration.working_directory),
    clock: systemClock,
    ...(options.ask && { ask: options.ask }),
  };
  return {
    ports,
    configuration,
    prompts: await readPrompts(PROMPT_NAMES),
    phrases: phrases[languageOf(configuration.task)],
    meter: new Meter(ports, past.spent),
    signal: options.signal ?? new AbortController().signal,
  };
}

function runStart({ files }: Stores, state: RunState): RunEvent {
  const { task_id, configuration } = files.task;
  return {
    type: "run-start",
    task_id,
    directory: files.directory,
    task: configuration.task,
    criteria: configuration.criteria,
    resumed_after: state.iterations,
    max_iterations: configuration.max_iterations,
  };
}

/** The questions that keep a task from being begun. */
export async function openQuestions(project: string, id: string): Promise<ClarificationQuestion[]> {
  const { task } = await openTask(absolute(project), id);
  const questions = task.intake?.status === "needs_clarification" ? task.intake.clarification_questions : [];
  if (questions.length === 0) throw new E8Error("nothing_to_answer", { id });
  return questions;
}

export async function* answerTask(
  { project, id, answers }: { project: string; id: string; answers: Answer[] },
  options: RunOptions = {},
): AsyncGenerator<RunEvent, LoopResult> {
  const directory = await openTask(absolute(project), id);
  return yield* runIn(directory, { answers }, options);
}

export { pipeNotices } from "./configuration/pipes.ts";
export { startScriptedModel } from "./connection/models/scripted/server.ts";
export { cancelTask } from "./connection/stores/cancel-task.ts";
export { overviewOf, overviews } from "./connection/stores/overview.ts";
export const demo = { story: demoStory, task: demoTask };
