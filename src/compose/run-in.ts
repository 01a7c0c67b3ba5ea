import type { Flags } from "../configuration/flags.ts";
import { withFlags } from "../configuration/layers.ts";
import { createAgents } from "../connection/agents/create-agents.ts";
import { systemClock } from "../connection/clock.ts";
import { createCommandRunner } from "../connection/commands/command-runner.ts";
import { endOrphans } from "../connection/commands/process-tree.ts";
import type { Agent, Ask, Ports } from "../connection/ports.ts";
import { readPrompts } from "../connection/prompt-files.ts";
import { openStores, type Stores } from "../connection/stores/open-stores.ts";
import type { TaskDirectory } from "../connection/stores/task-directory.ts";
import { createWorkspace } from "../connection/workspace/workspace.ts";
import { goalCourse } from "../execution/goal-course.ts";
import { Meter } from "../execution/meter.ts";
import { run } from "../execution/run.ts";
import { PROMPT_NAMES, type RunContext } from "../execution/run-context.ts";
import { fold } from "../execution/state.ts";
import type { AgentDefinition } from "../model/definition/agent-definition.ts";
import type { Environment } from "../model/environment.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import { type Notice, notice } from "../model/notices.ts";
import { languageOf, phrases } from "../model/phrases.ts";
import type { LoopResult } from "../model/records.ts";
import { NOTHING_DONE, type RunState } from "../model/state.ts";
import type { Answer, Task } from "../model/task.ts";
import { NOTHING_SPENT, type Spending, spentInAll, type Usage } from "../model/usage.ts";
import { requireKeys } from "./keys.ts";

export interface RunOptions {
  /** Cancels: the run winds down and can be resumed. */
  signal?: AbortSignal | undefined;
  /** Ends at once what is still winding down. */
  hurry?: AbortSignal | undefined;
  /** Puts the intake's questions to somebody. Without it, a task with open questions ends as clarification_needed. */
  ask?: Ask | undefined;
  /** The environment of agents and checks. */
  environment?: Environment | undefined;
}

/** What is different from now on. */
interface Change {
  flags?: Flags | undefined;
  answers?: Answer[];
}

/** A task that was just made has no past, and nothing left over from one. */
type Start = "begun" | { definition: AgentDefinition } | Change;

/** Runs a task in its directory, whatever course it takes, from wherever its records end. */
export async function* runIn(
  directory: TaskDirectory,
  start: Start,
  options: RunOptions,
): AsyncGenerator<RunEvent, LoopResult> {
  const stores = await openStores(directory);
  const hurry = () => void endOrphans(directory.path, 0).catch(() => {}); // whoever winds down ends its own
  const hurried = ownSignal(options.hurry);
  hurried.addEventListener("abort", hurry, { once: true });
  try {
    const past = await pastOf(stores);
    if (past.result?.status === "completed") {
      yield { type: "notice", notice: notice("completed_before", {}) };
      return past.result;
    }
    const { script } = stores.files.task;
    const goOn = (environment: Environment) => turn({ stores, directory, past }, start, { ...options, environment });
    const outer = options.environment ?? process.env;
    if (isNew(start) || script === undefined) return yield* goOn(outer);
    const { playingAgain } = await import("./scripted.ts");
    return yield* playingAgain({ id: directory.id, script }, outer, goOn);
  } finally {
    hurried.removeEventListener("abort", hurry);
    await stores.release();
  }
}

interface Opened {
  stores: Stores;
  directory: TaskDirectory;
  past: Past;
}

async function* turn(
  { stores, directory, past }: Opened,
  start: Start,
  options: RunOptions & { environment: Environment },
): AsyncGenerator<RunEvent, LoopResult> {
  let agents: Agent[] = [];
  try {
    if (!isNew(start)) await applyChange(stores, start);
    const context = await contextOf(stores, directory, { past, options });
    agents = Object.values(context.ports.agents);
    const { environment } = options;
    const loaded = isNew(start) && start !== "begun" ? start.definition : undefined;
    const events = await eventsOf(context, { task: stores.files.task, environment, loaded }, past.state);
    yield runStart(stores, past);
    if (!isNew(start)) yield* leftBehind(directory, stores.files.task);
    return yield* withNotices(events, stores.notices);
  } finally {
    await Promise.all(agents.map((agent) => agent.close?.()));
  }
}

function isNew(start: Start): start is Exclude<Start, Change> {
  return start === "begun" || "definition" in start;
}

interface Begun {
  task: Task;
  environment: Environment;
  /** The agent's definition, where it was handed in rather than read. */
  loaded: AgentDefinition | undefined;
}

async function eventsOf(
  context: RunContext,
  { task, environment, loaded }: Begun,
  state: RunState,
): Promise<AsyncGenerator<RunEvent, LoopResult>> {
  if (!task.agent) {
    requireKeys(context.configuration, environment);
    return run(goalCourse(context), context, state);
  }
  // A quarter of all that a run loads, and most runs have no steps.
  const { flowEvents } = await import("./flow-events.ts");
  const { agent, project } = task;
  return flowEvents(context, { agent: { ...agent, loaded }, project, environment }, state);
}

async function applyChange({ files }: Stores, { flags, answers }: Change): Promise<void> {
  if (flags) await files.save({ configuration: withFlags(files.task.configuration, flags) });
  if (answers) await files.save({ answers: [...files.task.answers, ...answers] });
}

/** We hold the task's lock: whoever still carries its mark was left behind by a run that was killed. */
async function* leftBehind(directory: TaskDirectory, { script }: Task): AsyncGenerator<RunEvent, void> {
  if (script !== undefined) yield { type: "notice", notice: notice("played_again", { script }) };
  const count = await endOrphans(directory.path);
  if (count > 0) yield { type: "notice", notice: notice("orphans_ended", { count }) };
}

/** Says what the stores have to say as soon as they say it. */
async function* withNotices(
  events: AsyncGenerator<RunEvent, LoopResult>,
  notices: Notice[],
): AsyncGenerator<RunEvent, LoopResult> {
  function* news(): Generator<RunEvent> {
    for (const one of notices.splice(0)) yield { type: "notice", notice: one };
  }
  yield* news();
  return yield* through(events, function* (event) {
    yield event;
    yield* news();
  });
}

interface Past {
  state: RunState;
  spent: Usage;
  result: LoopResult | undefined;
}

/** Resume is this: read the records, then go on. */
async function pastOf({ history, ledger }: Stores): Promise<Past> {
  const past: Past = { state: NOTHING_DONE, spent: NOTHING_SPENT, result: undefined };
  let ending: LoopResult | undefined;
  for await (const record of history.records()) {
    past.state = fold(past.state, record);
    past.result = record.type === "final_result" ? record : undefined;
    ending = past.result ?? ending;
  }
  const spending: Spending[] = [];
  for await (const entry of ledger.entries()) spending.push(entry);
  return { ...past, spent: spentInAll(spending, ending) };
}

async function contextOf(
  stores: Stores,
  directory: TaskDirectory,
  { past, options }: { past: Past; options: RunOptions & { environment: Environment } },
): Promise<RunContext> {
  const { configuration } = stores.files.task;
  const { environment } = options;
  const report = (one: Notice) => void stores.notices.push(one);
  const ports: Ports = {
    agents: createAgents({ configuration, directory, environment, report }),
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
    signal: ownSignal(options.signal),
  };
}

/** Follows a signal that many runs may share: Node 20 warns where more than ten listen to one. */
function ownSignal(shared: AbortSignal | undefined): AbortSignal {
  return AbortSignal.any(shared ? [shared] : []);
}

function runStart({ files }: Stores, { state, spent }: Past): RunEvent {
  const { task_id, configuration } = files.task;
  return {
    type: "run-start",
    task_id,
    directory: files.directory,
    task: configuration.task,
    criteria: configuration.criteria,
    resumed_after: state.iterations,
    max_iterations: configuration.max_iterations,
    budget: configuration.budget,
    spent,
    evaluations: state.judgment?.evaluations ?? [],
  };
}
