import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { asE8Error, E8Error } from "../../../model/errors.ts";
import { withHiddenOutputs } from "../../../model/hidden.ts";
import { isRecord } from "../../../model/json.ts";
import { HistoryRecord, type LoopResult } from "../../../model/records.ts";
import { TaskId } from "../../../model/task.ts";
import { Spending, spentInAll } from "../../../model/usage.ts";
import type { BrokenTask, TaskHeading, TaskOverview, TaskPast, TaskStatus } from "../../ports/task-store.ts";
import { requireProject } from "../../project.ts";
import { latestOf, metIn, pastOf } from "../standing.ts";
import { errorCode, readFault } from "./faults.ts";
import { collect, lastRecords, parseLine, readRecords } from "./json-lines.ts";
import { lastHolder } from "./lock.ts";
import { readNotes } from "./notes.ts";
import { isPaused } from "./requests.ts";
import { isWithdrawn } from "./submission.ts";
import { readTask } from "./task-file.ts";
import { type TaskPlace, taskDirectoryOf, taskPaths, tasksDirectory } from "./task-paths.ts";
import { originOf } from "./vault/registry.ts";
import { believedPaths } from "./vault/vault.ts";
import { peekVaultTask } from "./vault/vault-task.ts";

/** Throws before an id such as `../..` reaches the file system. */
export async function placeOf(project: string, id: string): Promise<TaskPlace> {
  if (!TaskId.safeParse(id).success) throw new E8Error("task_id_invalid", { id });
  await requireProject(project);
  return { project, id, path: taskDirectoryOf(project, id) };
}

/** The ids of the project's tasks, oldest first. A task may still be unreadable. */
export async function listTasks(project: string): Promise<TaskId[]> {
  await requireProject(project);
  const directory = tasksDirectory(project);
  const names = await readdir(directory).catch((error) => {
    if (errorCode(error) === "ENOENT") return [];
    throw readFault(error, directory);
  });
  const ids = names.filter((name) => TaskId.safeParse(name).success);
  return ids.filter((id) => isTask(join(directory, id))).sort(byAge);
}

/** A process that died while creating a task leaves a directory without either file. */
export function isTask(path: string): boolean {
  const { task, history } = taskPaths(path);
  return isThere(task) || isThere(history);
}

/** Unreadable tasks are listed, too. Synchronous: several times faster for a thousand of them. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== "ENOTDIR";
  }
}

const SECOND = "2026-01-23T13-30-00".length;

/** By second, then by number: `-10` is younger than `-9`. */
function byAge(left: TaskId, right: TaskId): number {
  const [leftSecond, rightSecond] = [left.slice(0, SECOND), right.slice(0, SECOND)];
  if (leftSecond !== rightSecond) return leftSecond < rightSecond ? -1 : 1;
  return collision(left) - collision(right);
}

function collision(id: TaskId): number {
  return Number(id.slice(SECOND + 1) || 1);
}

/** Read without the task's lock: it may be running. */
export async function readPast(place: TaskPlace): Promise<TaskPast> {
  const { project, id, path } = place;
  const task = { ...(await readTask(project, path, id)), task_id: id };
  const paths = believedPaths(place);
  const stored = await collect(readRecords(paths.history, HistoryRecord, () => {}));
  const records = paths.vault ? withHiddenOutputs(stored, await readHiddenOutputs(paths.vault.hidden)) : stored;
  const spending = await collect(readRecords(paths.ledger, Spending, () => {}));
  const last = records.at(-1);
  const ended = records.findLastIndex(({ type }) => type === "final_result") + 1;
  const ending = last?.type === "final_result" ? last : undefined;
  const { since, ...outcome } = await outcomeOf(path, ending, isWithdrawn(path, ended));
  const past = pastOf(records, spending);
  const last_active = latestOf([task.created_at, past.last_active, since]);
  const notes = await readNotes(paths.notes);
  return { task, location: path, folder: path, ...past, last_active, ...outcome, notes, origin: originOf(project, id) };
}

const HiddenLine = z.object({
  type: z.enum(["judgment", "proof", "final_result"]),
  timestamp: z.string(),
  id: z.number(),
  evidence: z.string(),
  is_cut: z.boolean().optional(),
});

export function readHiddenOutputs(path: string) {
  return collect(readRecords(path, HiddenLine, () => {}));
}

/**
 * How the last run ended, from the task's lock and its last record. A killed run leaves its lock but no ending, so the ending
 * may belong to an earlier run. A completed task is not run again.
 */
async function outcomeOf(
  path: string,
  ending: LoopResult | undefined,
  isTakenBack: boolean,
): Promise<{ status: TaskStatus; result: LoopResult | undefined; since: string }> {
  const { lock } = taskPaths(path);
  const last = existsSync(lock) ? await lastHolder(lock) : undefined;
  const since = last?.holder.since ?? "";
  if (last?.is_alive)
    return { status: isPaused({ path }, last.holder) ? "paused" : "running", result: undefined, since };
  if (isTakenBack) return { status: "cancelled", result: undefined, since };
  const isEarlier = ending?.status !== "completed" && since > (ending?.timestamp ?? "");
  return ending && !isEarlier
    ? { status: ending.status, result: ending, since }
    : { status: "interrupted", result: undefined, since };
}

/** All tasks, or some of them, oldest first. */
export async function overviews(project: string, asked?: readonly TaskId[]): Promise<(TaskOverview | BrokenTask)[]> {
  const ids = asked ? await thoseOf(project, asked) : await listTasks(project);
  const found: (TaskOverview | BrokenTask)[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE).map((task_id) => orBroken(project, task_id));
    found.push(...(await Promise.all(some)));
  }
  return found;
}

/** What was read for an overview is let go before the next ones are read. */
const AT_ONCE = 50;

function orBroken(project: string, task_id: TaskId): Promise<TaskOverview | BrokenTask> {
  return overviewOf(project, task_id).catch((error) => ({ task_id, error: asE8Error(error) }));
}

/** Those of the ids that are tasks, without a look at the others of the project. */
async function thoseOf(project: string, asked: readonly TaskId[]): Promise<TaskId[]> {
  await requireProject(project);
  const known = asked.filter((id) => TaskId.safeParse(id).success && isTask(taskDirectoryOf(project, id)));
  return [...new Set(known)].sort(byAge);
}

/** Reads only the last record where that is an ending, the whole task otherwise. */
async function overviewOf(project: string, id: TaskId): Promise<TaskOverview> {
  const path = taskDirectoryOf(project, id);
  const paths = believedPaths({ project, id, path });
  const task = readHeading(paths.task, paths.vault !== undefined);
  if (isWithdrawn(path, 0)) return readPast({ project, id, path });
  const { status, result } = await outcomeOf(path, readEnding(paths.history), false);
  if (!task || !result) return readPast({ project, id, path });
  const { iterations_used: iterations, final_judgment } = result;
  const spent = spentInAll(readSpending(paths.ledger), result);
  const standing = { status, result, iterations, criteria_met: metIn(final_judgment), spent };
  return {
    task: { ...task, task_id: id },
    location: path,
    ...standing,
    last_active: result.timestamp,
    origin: originOf(project, id, paths.vault),
  };
}

const Heading = z.preprocess(
  (stored) => (isRecord(stored) ? { ...stored, flow: stored.flow ?? stored.agent ?? null } : stored),
  z.object({
    task_id: TaskId,
    created_at: z.string(),
    configuration: z.object({ task: z.string(), criteria: z.array(z.unknown()), max_iterations: z.number() }),
    flow: z.object({ name: z.string(), parameters: z.record(z.string(), z.unknown()) }).nullable(),
  }) satisfies z.ZodType<TaskHeading>,
);

/** Undefined for a broken file; reading the whole task then reports why. */
function readHeading(path: string, isCopy: boolean): TaskHeading | undefined {
  try {
    return Heading.safeParse(isCopy ? peekVaultTask(path) : JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function readEnding(path: string): LoopResult | undefined {
  const [last] = lastRecords(path, HistoryRecord);
  return last?.type === "final_result" ? last : undefined;
}

function readSpending(path: string): Spending[] {
  const lines = existsSync(path) ? linesOf(path) : [];
  return lines.flatMap((line) => parseLine(Buffer.from(line), Spending) ?? []);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    throw readFault(error, path);
  }
}
