import type { Flags } from "../configuration/task/flags.ts";
import { withFlags } from "../configuration/task/layers.ts";
import { systemClock } from "../connection/clock.ts";
import { absolute, copyDirectory, within } from "../connection/files.ts";
import type { OpenTask } from "../connection/ports/open-task.ts";
import type { TaskPast } from "../connection/ports/task-store.ts";
import type { Workspace } from "../connection/ports/workspace.ts";
import { createCommandRunner } from "../connection/processes/command-runner.ts";
import { occupy } from "../connection/workspace/place-lock.ts";
import { createWorkspace } from "../connection/workspace/workspace.ts";
import type { Configuration } from "../model/configuration.ts";
import { E8Error } from "../model/errors.ts";
import type { EventEnvelope } from "../model/events.ts";
import { MOST_ITERATIONS } from "../model/limits.ts";
import { message } from "../model/message.ts";
import { notice } from "../model/notices.ts";
import type { HistoryRecord, LoopResult } from "../model/records.ts";
import type { TaskId } from "../model/task.ts";
import { agentSettings } from "./agent-settings.ts";
import { requireAgents } from "./requirements.ts";
import { runIn } from "./run-in.ts";
import type { RunOptions } from "./run-options.ts";
import { commitAt, keptTask, requireRestorable } from "./snapshots.ts";
import { storeOf } from "./store.ts";
import { bringHere } from "./travelled.ts";

export interface ForkRequest {
  project: string;
  id: string;
  /** The iteration whose files and records the new task begins with; 0 is the start. */
  from: number;
  /** What is different in the new task. Criteria are added, unless `only` is set. */
  flags: Flags;
}

/** Goes on from a snapshot of a task as a new task. The present files are kept first, and a notice says how to come back to them. */
export async function* forkTask(
  { project: directory, id, from, flags }: ForkRequest,
  options: RunOptions = {},
): AsyncGenerator<EventEnvelope, LoopResult> {
  const project = absolute(directory);
  const { past, workspace } = await keptTask({ project, id });
  requireForkable(past, options);
  const { task_id } = past.task;
  const commit = commitAt(past, from);
  const configuration = forkedConfiguration(past.task.configuration, from, flags);
  await requireAgents({ configuration, project, environment: options.environment ?? process.env });
  await bringHere(past, commit);
  const store = storeOf(project);
  const forked = await store.create({ configuration, now: systemClock.now(), script: past.task.script });
  // With the id of its own task: a run that finds the directory taken names that task.
  const { samePlace = false } = options;
  const place = { id: forked, project, directory: configuration.working_directory, samePlace };
  const leave = await occupy(place).catch(async (error) => {
    await discard(project, forked);
    throw error;
  });
  try {
    const { commit: before, left_out } = await begin({ past, from, workspace, commit }, { project, forked });
    const others = left_out && { left_out: { count: left_out.length, files: left_out.slice(0, MOST_NAMED) } };
    const notices = [notice("forked", { id: task_id, iteration: from, before: before.slice(0, 12), ...others })];
    return yield* runIn({ store, id: forked }, { is: "resumed", notices, isInPlace: true }, options);
  } finally {
    await leave();
  }
}

const MOST_NAMED = 5;

interface Source {
  past: TaskPast;
  from: number;
  workspace: Workspace;
  commit: string;
}

/** Gives the new task what it begins with, then makes the files those of the snapshot. */
async function begin(
  { past, from, workspace, commit }: Source,
  { project, forked }: { project: string; forked: TaskId },
) {
  const store = storeOf(project);
  try {
    const task = await store.open(forked);
    try {
      await carryOver(past, task, from);
      await task.knowledge.add(await store.knowledge({ task: past.task.task_id, report: () => {} }));
    } finally {
      await task.release();
    }
    const kept = await workspace.restore(commit);
    if ("problem" in kept) throw new E8Error("rollback_failed", { problem: kept.problem });
    await kept.settle();
    return kept;
  } catch (error) {
    await discard(project, forked);
    throw error;
  }
}

/** A fork that cannot begin leaves nothing behind. */
async function discard(project: string, id: TaskId): Promise<void> {
  const { workspace } = await keptTask({ project, id });
  await workspace.forget({ keeps_way_back: false });
  await storeOf(project).remove(id);
}

function requireForkable(past: TaskPast, { acceptChanges = false }: RunOptions): void {
  requireRestorable(past);
  const { task, origin } = past;
  const { task_id: id } = task;
  if (task.flow) throw new E8Error("fork_of_flow", { id });
  if (origin === "unknown" && !acceptChanges) throw new E8Error("task_unknown", { id });
}

/** The iterations that are carried over do not count: the limit is meant for those to come. */
function forkedConfiguration(before: Configuration, from: number, flags: Flags): Configuration {
  const typed = flags.criteria ?? [];
  if (flags.only && typed.length === 0)
    throw new E8Error("flag_invalid", { flag: "--only", problem: message("only_needs_criteria", {}) });
  const kept = before.criteria.map((one) => (one.type === "semantic" ? one.text : one));
  const criteria = flags.only ? typed : [...kept, ...typed];
  const changed = withFlags(before, { ...flags, criteria }, agentSettings);
  return { ...changed, max_iterations: Math.min(MOST_ITERATIONS, changed.max_iterations + from) };
}

/**
 * Gives a new task the start, the snapshots and the records of the iterations up to `from`. What was judged, the intake's result and which
 * checks passed before the work count only for the same task and criteria; without a judgment, the run begins by judging the work.
 */
async function carryOver(past: TaskPast, task: OpenTask, from: number): Promise<void> {
  const { start, baseline, judges_text, intake, answers, toolchain, model_settings } = past.task;
  const { before, tests_before, checked_before } = past.task;
  const isSame = goalOf(past.task.configuration) === goalOf(task.task.configuration);
  await task.save({
    ...(start !== undefined && { start }),
    ...(baseline && { baseline }),
    ...(isSame && { intake, answers, ...(judges_text && { judges_text }) }),
    ...(isSame &&
      before && { before, ...(tests_before && { tests_before }), ...(checked_before && { checked_before }) }),
    ...(model_settings && { model_settings }),
    ...(toolchain && { toolchain: { ...(await toolchainNow(task)), ...toolchain } }),
  });
  await copyDirectory(within(past.folder, "ignored"), within(task.folder, "ignored"));
  const { project, configuration, task_id } = task.task;
  const kept = { folder: task.folder, task: task_id };
  const workspace = createWorkspace(configuration.working_directory, { project, kept });
  if (start !== undefined) await workspace.adopt("start", start);
  for (const record of past.records.filter((one) => isCarried(one, from, isSame))) {
    if (record.type === "summary" && record.snapshot !== undefined)
      await workspace.adopt(String(record.iteration), record.snapshot);
    await task.history.append(record);
    await task.history.copy(record);
  }
}

function goalOf({ task, criteria }: Configuration): string {
  return JSON.stringify([task, criteria]);
}

function isCarried(record: HistoryRecord, from: number, isSame: boolean): boolean {
  if (record.type === "summary" || record.type === "note") return record.iteration <= from;
  return isSame && (record.type === "judgment" || record.type === "proof") && record.iteration <= from;
}

function toolchainNow({ task, token }: OpenTask) {
  const { working_directory, criteria } = task.configuration;
  const commands = criteria.flatMap((one) => (one.type === "command" ? [one.command] : []));
  const runner = createCommandRunner({
    project: working_directory,
    environment: process.env,
    task_token: token,
    clock: systemClock,
  });
  return runner.toolchain(commands);
}
