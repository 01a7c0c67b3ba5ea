import type { Flags } from "../configuration/task/flags.ts";
import { sharedDoors } from "../connection/agents/doors.ts";
import { systemClock } from "../connection/clock.ts";
import { isThere, nameIn } from "../connection/files.ts";
import { baseCommit, standingOn } from "../connection/git/plan-branch.ts";
import type { RunCarrier } from "../connection/ports/backlog.ts";
import type { TaskPast } from "../connection/ports/task-store.ts";
import type { ComparedRun, Comparison, ComparisonEvent, Entry } from "../model/comparison.ts";
import type { Configuration } from "../model/configuration.ts";
import type { Environment } from "../model/environment.ts";
import { E8Error, problemOf } from "../model/errors.ts";
import { through } from "../model/event-stream.ts";
import { message, type Statement } from "../model/message.ts";
import { comparisonId, type TaskId } from "../model/task.ts";
import { comparedRun } from "../orchestrator/compared.ts";
import { compete, type Turnout } from "../orchestrator/comparison.ts";
import { requireAccepted } from "./accepting.ts";
import { agentSettings } from "./agent-settings.ts";
import { remoteOf } from "./branch.ts";
import { requireAgents, requirePlace } from "./requirements.ts";
import { runIn } from "./run-in.ts";
import type { RunOptions } from "./run-options.ts";
import { findTask, storeOf } from "./store.ts";
import { type ConfiguredTask, configure } from "./tasks.ts";

export interface ComparisonRequest {
  project: string;
  /** A task.yaml. */
  config?: string | undefined;
  /** Of every run. */
  flags: Flags;
  /** As `--agent` names them; a model may follow: `claude@opus`. */
  agents: readonly string[];
}

/** One agent, and the settings of its run. */
interface PlannedEntry extends ConfiguredTask {
  agent: string;
  /** What works with it; null for a program, which has its own. */
  model: string | null;
}

export interface ComparisonPlan {
  project: string;
  entries: PlannedEntry[];
  base: string;
  base_commit: string;
  /** Nobody has named the base: it is the branch that the checkout stands on. */
  is_presumed: boolean;
  /** The checkout has changes that are in no commit, and so in no run. */
  is_dirty: boolean;
  /** What happens to the work that is kept. */
  finalize: Pick<Configuration["finalize"], "merge" | "push" | "create_pr">;
}

export type ComparisonOptions = Pick<RunOptions, "environment" | "hurry" | "acceptChanges" | "language" | "confirm"> & {
  signal: AbortSignal;
  parallel: number;
};

/** As for a run with a branch of its own; there is no way without one here. */
async function inRepository<T>(look: Promise<T>): Promise<T> {
  return look.catch((error) => {
    if (!(error instanceof E8Error) || error.code !== "branch_impossible") throw error;
    throw new E8Error("comparison_impossible", { problem: problemOf(error) }, { cause: error });
  });
}

/** Every run's settings, complete, and where they begin. Throws what would keep one of them from running; nothing is changed. */
export async function planComparison(request: ComparisonRequest, environment: Environment): Promise<ComparisonPlan> {
  const standing = await inRepository(standingOn(request.project));
  const entries: PlannedEntry[] = [];
  for (const agent of request.agents) {
    const flags = { ...request.flags, ...contestantIn(agent), worktree: true };
    const configured = await configure({ ...request, flags, environment });
    // The work of another agent would be counted as its own.
    const configuration = { ...configured.configuration, fallbacks: [], escalate_to: null };
    const { models, agent: choice } = configuration;
    const model = agentSettings.answersRoles(choice) ? models.executor : null;
    entries.push({ ...configured, agent, model, configuration });
  }
  const [first] = entries;
  if (!first) throw new E8Error("flag_invalid", { flag: "--agent", problem: message("agents_too_few", {}) });
  const { project, configuration } = first;
  const base = configuration.worktree.base ?? standing.branch;
  if (base === undefined) throw new E8Error("comparison_impossible", { problem: message("base_unnamed", {}) });
  const { merge, push, create_pr } = configuration.finalize;
  const remote = remoteOf(configuration.finalize);
  const base_commit = await inRepository(baseCommit(project, { name: base, remote }));
  for (const entry of entries) {
    await requireAgents({ configuration: entry.configuration, project, environment });
    await requirePlace(entry);
  }
  const is_presumed = configuration.worktree.base === null;
  return { project, entries, base, base_commit, is_presumed, ...standing, finalize: { merge, push, create_pr } };
}

/** `claude@opus` is Claude Code with this model. What follows a colon is the agent's own: a program may have an @ in its words. */
export function contestantIn(agent: string): Pick<Flags, "agent" | "executorModel"> {
  const [, name, executorModel] = /^([\w-]+)@(.+)$/.exec(agent) ?? [];
  return name === undefined ? { agent } : { agent: name, executorModel };
}

/** Stores a task for each agent, and has them run. */
export async function* startComparison(
  plan: ComparisonPlan,
  options: ComparisonOptions,
): AsyncGenerator<ComparisonEvent, Comparison> {
  const { project, entries } = plan;
  const [first] = entries;
  await requireAccepted({ project, taskFile: first?.task_file && nameIn(project, first.task_file) }, options);
  const stored: Entry[] = [];
  for (const entry of entries) stored.push(await storedEntry(plan, entry, stored));
  const id = stored[0]?.task_id ?? "";
  return yield* competing({ project, id }, stored.map(newTurnout), options);
}

function newTurnout(entry: Entry): Turnout {
  return { entry, resumed: false };
}

/** Nothing is merged or pushed until one of them is kept. */
async function storedEntry(plan: ComparisonPlan, entry: PlannedEntry, before: readonly Entry[]): Promise<Entry> {
  const { project, base, base_commit, finalize, entries } = plan;
  const { configuration, agent, task_file } = entry;
  const nowhere = { merge: false, push: false, create_pr: false };
  const own = {
    ...configuration,
    worktree: { ...configuration.worktree, base },
    finalize: { ...configuration.finalize, ...nowhere },
  };
  const [first] = before;
  const number = before.length + 1;
  const comparison = { ...(first && { id: first.task_id }), number, of: entries.length, agent, base_commit, finalize };
  const task_id = await storeOf(project).create({
    ...{ configuration: own, now: systemClock.now(), task_file, comparison },
  });
  return { number, agent, task_id };
}

/** Goes on with the runs that have not ended. Those that have stay as they are. */
export async function* resumeComparison(
  { project, id, flags }: { project: string; id: TaskId; flags: Flags },
  options: ComparisonOptions,
): AsyncGenerator<ComparisonEvent, Comparison> {
  const { runs } = await comparisonOf(project, id);
  const open = runs.filter(({ status }) => ["not_begun", "cancelled", "interrupted", "error"].includes(status));
  const turnouts = open.map(({ number, agent, task_id, status }) => ({
    ...{ entry: { number, agent, task_id }, resumed: status !== "not_begun" },
  }));
  return yield* competing({ project, id }, turnouts, options, flags);
}

async function* competing(
  { project, id }: { project: string; id: TaskId },
  turnouts: readonly Turnout[],
  options: ComparisonOptions,
  flags?: Flags,
): AsyncGenerator<ComparisonEvent, Comparison> {
  const problems = new Map<TaskId, Statement>();
  const events = compete(turnouts, carrierIn(project, options, flags), options);
  yield* through(events, function* (event) {
    if (event.type === "entry-failed") problems.set(event.task_id, event.problem);
    yield event;
  });
  const { runs, ...comparison } = await comparisonOf(project, id);
  const named = runs.map((run): ComparedRun => withProblem(run, problems.get(run.task_id)));
  return { ...comparison, runs: named, ...(options.signal.aborted && { stopped: "cancelled" as const }) };
}

function withProblem(run: ComparedRun, problem: Statement | undefined): ComparedRun {
  return problem === undefined ? run : { ...run, problem };
}

/** A new run that finds its branch or its place taken leaves its task as it was: it can begin another time. */
function carrierIn(project: string, options: ComparisonOptions, flags: Flags | undefined): RunCarrier {
  const store = storeOf(project);
  const doors = sharedDoors(systemClock);
  return {
    carry: (id, { resumed, signal }) => {
      const start = resumed ? ({ is: "resumed", flags } as const) : ({ is: "new", keeps: true } as const);
      return runIn({ store, id }, start, { ...options, signal, doors });
    },
  };
}

/** A comparison as the records of its tasks say. `id`: that of one of its tasks. Throws `comparison_missing`. */
export async function comparisonOf(project: string, id: TaskId): Promise<Comparison> {
  const pasts = await entriesOf(project, id);
  const runs = pasts.flatMap((past) => comparedRun(past, worktreeOf(past)) ?? []);
  const [first] = pasts;
  if (!first?.task.comparison) throw new E8Error("comparison_missing", { id });
  const { task } = first;
  return {
    comparison: comparisonId(task),
    task: task.configuration.task,
    base: task.configuration.worktree.base ?? "",
    base_commit: first.task.comparison.base_commit,
    runs,
  };
}

function worktreeOf({ task: { place } }: TaskPast): string | null {
  return place && isThere(place.worktree) ? place.worktree : null;
}

/** The tasks of a comparison, by their numbers. */
export async function entriesOf(project: string, id: TaskId): Promise<TaskPast[]> {
  const store = storeOf(project);
  const whole = comparisonId(await store.read(id));
  const ids = await store.list();
  const since = ids.filter((one) => one.slice(0, SECOND) >= whole.slice(0, SECOND));
  const found: TaskPast[] = [];
  for (const one of since) {
    const { comparison, task_id } = await store.read(one).catch(() => NOT_READABLE);
    if (!comparison || (comparison.id ?? task_id) !== whole) continue;
    found.push(await store.past(one));
    if (found.length === comparison.of) break;
  }
  return found.sort((left, right) => (left.task.comparison?.number ?? 0) - (right.task.comparison?.number ?? 0));
}

/** Ids begin with the second in which their task was made. */
const SECOND = "2026-01-23T13-30-00".length;
const NOT_READABLE = { comparison: undefined, task_id: "" };

/** The comparison that a user means: by the id of one of its tasks or a part of it; the latest where nothing is said. */
export async function findComparison(project: string, meant: string | undefined): Promise<TaskId> {
  const store = storeOf(project);
  if (meant !== undefined && meant !== "latest") {
    const id = await findTask(project, meant);
    if (!(await store.read(id)).comparison) throw new E8Error("comparison_missing", { id });
    return id;
  }
  for (const id of (await store.list()).toReversed())
    if ((await store.read(id).catch(() => NOT_READABLE)).comparison) return id;
  throw new E8Error("comparison_missing", {});
}
