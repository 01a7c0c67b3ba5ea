import type { Flags } from "../configuration/task/flags.ts";
import { withFlags } from "../configuration/task/layers.ts";
import { discardBranch } from "../connection/git/discard.ts";
import type { TaskPast } from "../connection/ports/task-store.ts";
import { endOrphans } from "../connection/processes/process-tree.ts";
import { createWorkspace } from "../connection/workspace/workspace.ts";
import type { ComparedRun, Comparison, ComparisonEvent, Entry } from "../model/comparison.ts";
import type { Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import { through } from "../model/event-stream.ts";
import type { LoopResult } from "../model/records.ts";
import type { TaskId } from "../model/task.ts";
import { completionOf } from "../orchestrator/compared.ts";
import { agentSettings } from "./agent-settings.ts";
import { remoteOf } from "./branch.ts";
import { type ComparisonOptions, comparisonOf, entriesOf } from "./comparisons.ts";
import { runIn } from "./run-in.ts";
import { storeOf } from "./store.ts";

export interface KeepRequest {
  project: string;
  id: TaskId;
  /** A number, an agent as it was named, or `none`. */
  keep: string;
  /** Whether the others keep their branches and worktrees. */
  keepsOthers: boolean;
  /** Where the work goes, in the place of the comparison's settings. */
  flags: Flags;
}

/** `is_kept`: the work of the chosen one is where it was to go; with `none`, nothing was to go anywhere. */
export interface Kept extends Comparison {
  is_kept: boolean;
}

export const NONE = "none";

/**
 * Has the work of one entry go where the settings say, as a run of its own would have had it go: proved, merged, pushed. Then the branches
 * and worktrees of the others are removed; their records and snapshots stay, and a ref keeps each branch's last commit.
 */
export async function* keepEntry(
  { project, id, keep, keepsOthers, flags }: KeepRequest,
  options: ComparisonOptions,
): AsyncGenerator<ComparisonEvent, Kept> {
  const pasts = await entriesOf(project, id);
  const { runs } = await comparisonOf(project, id);
  const chosen = keep === NONE ? undefined : chosenIn(runs, keep);
  requireStill(pasts);
  const past = pasts.find(({ task }) => task.task_id === chosen?.task_id);
  const is_kept = past && chosen ? yield* finalized(past, chosen, { project, flags }, options) : true;
  if (is_kept && !keepsOthers) for (const other of pasts) if (other !== past) yield* removed(other, project);
  const stopped = options.signal.aborted && { stopped: "cancelled" as const };
  return { ...(await comparisonOf(project, id)), is_kept, ...stopped };
}

/** Throws where nothing can be kept: before anything runs. */
export function requireChoice(agents: readonly string[], keep: string): void {
  if (keep === NONE) return;
  const runs = agents.map((agent, index) => ({ agent, number: index + 1 }));
  chosenIn(runs, keep);
}

/** By its number, or by its agent where only one has that name. */
export function chosenIn<T extends Pick<ComparedRun, "number" | "agent">>(runs: readonly T[], choice: string): T {
  const byNumber = runs.filter(({ number }) => String(number) === choice);
  const fitting = byNumber.length > 0 ? byNumber : runs.filter(({ agent }) => agent === choice);
  const [found, ...others] = fitting;
  if (found && others.length === 0) return found;
  const known = runs.map(({ number, agent }) => `${number} (${agent})`);
  throw new E8Error("comparison_choice", { choice, found: fitting.length, known });
}

function requireStill(pasts: readonly TaskPast[]): void {
  for (const { task, status } of pasts) {
    if (status !== "running" && status !== "paused") continue;
    const { number = 0, agent = "" } = task.comparison ?? {};
    throw new E8Error("comparison_runs", { number, agent, id: task.task_id });
  }
}

/** Only completed work is kept. Whether it went where it was to go. */
async function* finalized(
  past: TaskPast,
  run: ComparedRun,
  { project, flags }: Pick<KeepRequest, "project" | "flags">,
  options: ComparisonOptions,
): AsyncGenerator<ComparisonEvent, boolean> {
  const { number, agent, task_id, status } = run;
  const comparison = past.task.comparison?.id ?? task_id;
  if (!completionOf(past.records))
    throw new E8Error("comparison_unfit", { number, agent, id: task_id, status, comparison });
  const entry: Entry = { number, agent, task_id };
  yield { type: "keeping", ...entry };
  const finalize = await aimed(past, project, flags);
  const events = runIn({ store: storeOf(project), id: task_id }, { is: "resumed", finalizes: true }, options);
  const result: LoopResult = yield* through(events, function* (envelope): Generator<ComparisonEvent> {
    yield { type: "run", ...entry, envelope };
  });
  yield { type: "entry-end", ...entry, status: result.status };
  const isToGo = finalize.create_pr || finalize.merge || finalize.push;
  const isSent = ["landed", "kept", "published"].includes(result.landing?.outcome ?? "");
  return result.status === "completed" && (isSent || !isToGo);
}

/** Gives the task the settings of the comparison, which its run did without. */
async function aimed({ task }: TaskPast, project: string, flags: Flags): Promise<Configuration["finalize"]> {
  const opened = await storeOf(project).open(task.task_id);
  try {
    const { configuration, comparison, place } = opened.task;
    const before = { ...configuration, finalize: { ...configuration.finalize, ...comparison?.finalize } };
    const now = withFlags(before, flags, agentSettings);
    await opened.save({ configuration: now, ...(place && { place: { ...place, remote: remoteOf(now.finalize) } }) });
    return now.finalize;
  } finally {
    await opened.release();
  }
}

/** Its worktree may hold work that no commit has yet: that is committed first. */
async function* removed({ task }: TaskPast, project: string): AsyncGenerator<ComparisonEvent, void> {
  const { task_id, place, comparison, configuration } = task;
  if (!place || !comparison || place.tip !== undefined) return;
  const opened = await storeOf(project).open(task_id);
  try {
    await endOrphans(opened.token); // a killed run may have left processes that work there
    const kept = { folder: opened.location, task: task_id };
    const { working_directory: directory } = configuration;
    await createWorkspace(directory, { project: directory, kept })
      .removeRoom()
      .catch(() => {}); // there may be none, and no worktree
    const { finalize, task: words } = configuration;
    const locker = { id: task_id, project };
    const { tip, ignored } = await discardBranch({ project, locker, place, author: finalize.author, words });
    await opened.save({ place: { ...place, ...(tip !== undefined && { tip }) } });
    const { number, agent } = comparison;
    const { branch } = place;
    yield { type: "removed", number, agent, task_id, branch, commit: tip ?? null, ignored };
  } finally {
    await opened.release();
  }
}
