import type { Flags } from "../configuration/flags.ts";
import { withFlags } from "../configuration/layers.ts";
import { endOrphans } from "../connection/commands/process-tree.ts";
import type { Agent } from "../connection/ports/agent.ts";
import type { Ask } from "../connection/ports/ask.ts";
import { openStores, type Stores } from "../connection/stores/open-stores.ts";
import type { TaskDirectory } from "../connection/stores/task-directory.ts";
import { goalCourse } from "../execution/goal-course.ts";
import { run } from "../execution/run.ts";
import type { RunContext } from "../execution/run-context.ts";
import type { Environment } from "../model/environment.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import { type Notice, notice } from "../model/notices.ts";
import type { LoopResult } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import { type Answer, answered, type Task } from "../model/task.ts";
import { contextOf, type OpenedTask } from "./context.ts";
import { type Past, pastOf } from "./past.ts";
import { requireAgents } from "./require-agents.ts";

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

/** A task that was just made has no past, and nothing left over from one. An agent's definition has been read for it already. */
interface NewStart {
  is: "new";
  definition?: FlowDefinition;
}

/** A task that is taken up again, and what is different from now on. */
interface Resumption {
  is: "resumed";
  flags?: Flags | undefined;
  answers?: Answer[];
}

type Start = NewStart | Resumption;

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
    if (start.is === "new" || script === undefined) return yield* goOn(outer);
    const { playingAgain } = await import("./scripted.ts");
    return yield* playingAgain({ id: directory.id, script }, outer, goOn);
  } finally {
    hurried.removeEventListener("abort", hurry);
    await stores.release();
  }
}

async function* turn(
  opened: OpenedTask,
  start: Start,
  options: RunOptions & { environment: Environment },
): AsyncGenerator<RunEvent, LoopResult> {
  const { stores, past } = opened;
  const { environment, ask } = options;
  let agents: Agent[] = [];
  try {
    if (start.is === "resumed") await applyChange(stores, start);
    const context = await contextOf(opened, { environment, ask, signal: ownSignal(options.signal) });
    agents = Object.values(context.ports.agents);
    const loaded = start.is === "new" ? start.definition : undefined;
    const events = await eventsOf(context, { task: stores.files.task, environment, loaded }, past.state);
    yield runStart(stores, past);
    if (start.is === "resumed") yield* meanwhile(opened);
    return yield* withNotices(events, stores.notices);
  } finally {
    await Promise.all(agents.map((agent) => agent.close?.()));
  }
}

interface Begun {
  task: Task;
  environment: Environment;
  /** The agent's definition, where it was handed in rather than read. */
  loaded: FlowDefinition | undefined;
}

async function eventsOf(
  context: RunContext,
  { task, environment, loaded }: Begun,
  state: RunState,
): Promise<AsyncGenerator<RunEvent, LoopResult>> {
  if (!task.agent) {
    await requireAgents({ configuration: context.configuration, project: task.project, environment });
    return run(goalCourse(context), context, state);
  }
  // A quarter of all that a run loads, and most runs have no steps.
  const { flowEvents } = await import("./flow-events.ts");
  const { agent, project } = task;
  return flowEvents(context, { agent: { ...agent, loaded }, project, environment }, state);
}

async function applyChange({ files }: Stores, { flags, answers }: Resumption): Promise<void> {
  if (flags) await files.save({ configuration: withFlags(files.task.configuration, flags) });
  if (answers) await files.save(answered(files.task, answers));
}

/** What happened between two runs. We hold the task's lock: whoever still carries its mark was left behind by a run that was killed. */
async function* meanwhile({ directory, stores, past: { unconfirmed } }: OpenedTask): AsyncGenerator<RunEvent, void> {
  const { script, agent } = stores.files.task;
  if (unconfirmed !== undefined) yield { type: "notice", notice: notice("judged_again", { iteration: unconfirmed }) };
  if (script !== undefined) yield { type: "notice", notice: notice("played_again", { script }) };
  if (agent) yield* (await import("./definition-changes.ts")).definitionChanges(agent);
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
