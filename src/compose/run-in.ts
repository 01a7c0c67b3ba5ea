import type { Flags } from "../configuration/task/flags.ts";
import { withFlags } from "../configuration/task/layers.ts";
import { pipeNotices } from "../configuration/task/pipes.ts";
import { GuardedFiles } from "../connection/guarded-files.ts";
import type { Branch } from "../connection/ports/branch.ts";
import type { Clock } from "../connection/ports/clock.ts";
import type { OpenTask } from "../connection/ports/open-task.ts";
import type { Ports } from "../connection/ports/run.ts";
import { endOrphans } from "../connection/processes/process-tree.ts";
import type { RedactingStore } from "../connection/stores/redacting.ts";
import { occupy } from "../connection/workspace/place-lock.ts";
import { expectFirstWork } from "../execution/goal/expectations.ts";
import { goalCourse } from "../execution/goal/goal-course.ts";
import { run } from "../execution/run.ts";
import type { RunContext } from "../execution/run-context.ts";
import { recover } from "../execution/state.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error } from "../model/errors.ts";
import { through, withPushed } from "../model/event-stream.ts";
import type { EventEnvelope, RunEvent } from "../model/events.ts";
import type { FlowDefinition } from "../model/flow/definition.ts";
import { type Notice, notice } from "../model/notices.ts";
import type { LoopResult } from "../model/records.ts";
import { redacted } from "../model/redaction.ts";
import type { RunState } from "../model/state.ts";
import { type Answer, answered, type TaskId } from "../model/task.ts";
import { lackedAbilities, settingNotices } from "./agent-abilities.ts";
import { agentSettings } from "./agent-settings.ts";
import { branchAgain, isUnbegun, newBranch, unlockBranch } from "./branch.ts";
import { contextOf } from "./context.ts";
import { withheldNotices } from "./credentials.ts";
import { settleIn, travellingBranch } from "./machine-place.ts";
import { ownSignal, withNotifications, withTelemetry } from "./observers.ts";
import { pausable } from "./pausing.ts";
import { requireAgents } from "./requirements.ts";
import { definitionOf, meanwhile, type Past, runStart } from "./run-beginning.ts";
import type { RunOptions } from "./run-options.ts";
import { namedAgents, requireStepAgents } from "./step-agents.ts";
import { learnSecrets, redactionOf } from "./store.ts";

/** A new task has no past. The definition of its flow is already loaded. */
interface NewStart {
  is: "new";
  definition?: FlowDefinition;
  /** Announced when the run has begun. */
  notices?: readonly Notice[];
  /** The task stays where it cannot begin now. */
  keeps?: boolean;
}

/** A resumed task, and the changes that the user makes to it. */
interface Resumption {
  is: "resumed";
  notices?: readonly Notice[];
  flags?: Flags | undefined;
  /** Replaces the stored one: the same task was started with these settings. */
  configuration?: Configuration;
  answers?: Answer[];
  /** Also where it is completed: its work goes where the settings say now. */
  finalizes?: boolean;
  /** The caller has taken the working directory for it, and gives it up afterwards. */
  isInPlace?: boolean;
}

type Start = NewStart | Resumption;

/** Runs a stored task from where its records end. Every event is stored before it is announced. */
export async function* runIn(
  stored: StoredTask,
  start: Start,
  options: RunOptions,
): AsyncGenerator<EventEnvelope, LoopResult> {
  const { task, branch, leave } = await open(stored, start, options);
  const { project } = task.task;
  if (options.environment) learnSecrets(project, options.environment);
  const hurry = () => void endOrphans(task.token, 0).catch(() => {}); // a run that winds down ends its own processes
  const hurried = ownSignal(options.hurry);
  hurried.addEventListener("abort", hurry, { once: true });
  const leaving = new AbortController();
  const signal = AbortSignal.any([ownSignal(options.signal), task.cancelled, leaving.signal]);
  const { clock, pushed, stop } = pausable(task, signal, options.pause);
  try {
    const told = withPushed(eventsOf(task, start, { ...options, signal, clock, branch }), pushed, () =>
      leaving.abort(),
    );
    const redact = redactionOf(project);
    const result = yield* through(await withTelemetry(told, { ...options, clock, redact }), async function* (event) {
      if (event.type === "run-end") yield* noticesOf(task); // readers stop at the end of a run
      yield await task.events.append(event);
      if (event.type !== "run-end") yield* noticesOf(task);
    });
    return redacted(result, redact);
  } finally {
    hurried.removeEventListener("abort", hurry);
    stop();
    await branch?.leave();
    await leave();
    await task.release();
  }
}

interface StoredTask {
  store: RedactingStore;
  id: TaskId;
}

/** Takes the task and its working directory, or neither: a new task that finds its place taken is removed again. */
async function open(
  { store, id }: StoredTask,
  start: Start,
  { samePlace = false, acceptChanges, isOfFleet, taskFile, lane, machine, admits }: RunOptions,
) {
  const task = await store.open(id, { acceptChanges, isOfFleet });
  const { project } = task.task;
  try {
    admits?.(task.task);
    if (machine) await settleIn(task, machine);
    const line = isOfFleet ? task.lane : lane;
    const branch = start.is === "new" || isUnbegun(task) ? await newBranch(task, line, machine) : undefined;
    const { configuration } = task.task;
    const directory = configuration.working_directory;
    const isInPlace = start.is === "resumed" && start.isInPlace;
    const unoccupy = isInPlace ? undefined : await occupy({ id, project, directory, samePlace });
    const end = await new GuardedFiles(project).begin(id, taskFile);
    const leave = async () => {
      await end();
      await unoccupy?.();
    };
    return { task, branch, leave };
  } catch (error) {
    await task.release();
    if (start.is === "new" && !start.keeps) await store.remove(id);
    throw error;
  }
}

async function* noticesOf(task: OpenTask): AsyncGenerator<EventEnvelope, void> {
  for (const one of task.takeNotices()) yield await task.events.append({ type: "notice", notice: one });
}

/** Options of a run that has its own clock and signal. */
interface Running extends RunOptions {
  signal: AbortSignal;
  clock: Clock;
  /** The branch of a task that begins now. */
  branch: Branch | undefined;
}

async function* eventsOf(task: OpenTask, start: Start, options: Running): AsyncGenerator<RunEvent, LoopResult> {
  const past = await pastOf(task);
  const isFinalized = start.is === "resumed" && start.finalizes;
  if (past.result?.status === "completed" && !isFinalized) {
    await unlockBranch(task);
    yield { type: "notice", notice: notice("completed_before", {}) };
    yield { type: "run-end", result: past.result };
    return past.result;
  }
  const { task_id: id, script } = task.task;
  const goOn = (environment: Environment) => turn(task, { past, start }, { ...options, environment });
  const outer = options.environment ?? process.env;
  if (start.is === "new" || script === undefined) return yield* goOn(outer);
  const { playingAgain } = await import("./scripted.ts");
  return yield* playingAgain({ id, script }, outer, goOn);
}

async function pastOf({ history, ledger, task }: OpenTask): Promise<Past> {
  const recovered = await recover(await history.recall(), task.boundary !== null);
  return { ...recovered, spent: await ledger.spent(recovered.state.ended) };
}

async function* turn(
  task: OpenTask,
  { past, start }: { past: Past; start: Start },
  options: Running & { environment: Environment },
): AsyncGenerator<RunEvent, LoopResult> {
  const { environment, ask, signal, clock } = options;
  let ports: Ports | undefined;
  const { resumed, branch } = await branchOf(task, { past, start }, options);
  try {
    const loading = definitionOf(task, start.is === "new" ? start.definition : undefined);
    if (start.is === "resumed") await applyChange(task, start, await loading.catch(() => undefined)); // a broken definition is told afterwards
    const definition = await loading;
    const own = definition ? namedAgents(definition) : [];
    const { context, tried } = await contextOf(task, {
      environment,
      ask,
      signal,
      clock,
      branch,
      doors: options.doors,
      account: options.account,
      machine: options.machine,
      spent: past.spent,
      agents: own,
      acceptChanges: options.acceptChanges,
      handBack: options.handBack,
    });
    ports = context.ports;
    const is_new = start.is === "new";
    const events = await courseEvents(context, { environment, definition, is_new }, past.state);
    await tried;
    const { problem } = context.sandbox;
    if (problem && options.requiresSandbox) throw new E8Error("sandbox_needed", { problem });
    yield runStart(task, past);
    const { configuration } = task.task;
    const withheld = withheldNotices(environment, task.task);
    const unhidden = configuration.criteria.filter((one) => !("hidden" in one && one.hidden)); // the worker could read the event
    const all = [
      start.notices ?? [],
      withheld,
      pipeNotices(unhidden),
      lackedAbilities(configuration, own),
      settingNotices(configuration, own),
    ];
    for (const one of all.flat()) yield { type: "notice", notice: one };
    if (problem) yield { type: "notice", notice: notice("sandbox_missing", { problem }) };
    if (start.is === "resumed") yield* meanwhile(task, past);
    return yield* await withNotifications(events, context, options);
  } finally {
    await Promise.all(Object.values(ports?.agents ?? {}).map((agent) => agent.close?.()));
    await ports?.commands.close?.();
    await resumed?.leave();
  }
}

async function branchOf(task: OpenTask, { past, start }: { past: Past; start: Start }, options: Running) {
  const hadBranch = start.is === "resumed" && !options.branch;
  const lane = options.isOfFleet ? task.lane : options.lane;
  const resumed = hadBranch ? await branchAgain(task, past.state, { ...options, lane }) : undefined;
  const found = options.branch ?? resumed;
  return { resumed, branch: found && options.machine ? travellingBranch(found, options.machine, task) : found };
}

interface Begun {
  environment: Environment;
  /** Of a flow. */
  definition: FlowDefinition | undefined;
  is_new: boolean;
}

async function courseEvents(
  context: RunContext,
  { environment, definition, is_new }: Begun,
  state: RunState,
): Promise<AsyncGenerator<RunEvent, LoopResult>> {
  const { flow, project, place } = context.ports.store.task;
  if (!flow || !definition) {
    await requireAgents({ configuration: context.configuration, project, environment });
    const isPrepared = is_new && !place && !context.sandbox.problem;
    if (isPrepared) expectFirstWork(context, state); // before the run is announced: a worker takes its time to start
    return run(goalCourse(context), context, state);
  }
  // Loaded lazily: a quarter of all modules, and most runs have no steps.
  const { flowEvents } = await import("./flow-events.ts");
  return flowEvents(context, { flow, definition, is_new, project, environment }, state);
}

async function applyChange(
  task: OpenTask,
  { flags, configuration: anew, answers }: Resumption,
  definition: FlowDefinition | undefined,
): Promise<void> {
  if (anew) await task.save({ configuration: anew });
  if (flags) {
    const configuration = withFlags(task.task.configuration, flags, agentSettings);
    if (definition) requireStepAgents(configuration, definition); // before it is saved: the next run would start with it
    await task.save({ configuration });
  }
  if (answers) await task.save(answered(task.task, answers));
}
