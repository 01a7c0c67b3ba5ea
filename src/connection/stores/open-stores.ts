import { resolve } from "node:path";
import type { Configuration } from "../../model/configuration.ts";
import { type Notice, notice } from "../../model/notices.ts";
import type { History, KnowledgeBase, Ledger, TaskFiles } from "../ports/task-store.ts";
import { openHistory } from "./history.ts";
import type { Guard } from "./journal.ts";
import type { ReportNotice } from "./json-lines.ts";
import { openKnowledge } from "./knowledge.ts";
import { openLedger } from "./ledger.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { openTaskFiles } from "./task-files.ts";
import { type TaskPlace, taskPaths } from "./task-paths.ts";

export interface Stores {
  history: History;
  knowledge: KnowledgeBase;
  ledger: Ledger;
  files: TaskFiles;
  /** What the user should know about the files. Grows while they are read. */
  notices: Notice[];
  /** Closes the files and gives the lock back. */
  release(): Promise<void>;
}

/** Locks the task, then opens all it keeps; nothing of it may be written before. */
export async function openStores(place: TaskPlace): Promise<Stores> {
  const lock = await acquireLock(taskPaths(place.path).lock, place.id);
  const ends: End[] = [lock.release];
  const checks: (() => void)[] = [];
  const notices: Notice[] = [];
  const report = (notice: Notice) => void notices.push(notice);
  const guard = () => keepLock(lock, place, report);
  try {
    const confirmRecords = () => {
      for (const check of checks) check();
    };
    const files = await openTaskFiles(place, { guard, confirmRecords });
    const records = await openRecords(place, files.task.configuration, { report, guard, ends, checks });
    return { ...records, files, notices, release: () => finish(ends) };
  } catch (error) {
    await finish(ends);
    throw error;
  }
}

/** A worker that removes the lock lets nobody else in. */
async function keepLock(lock: Lock, { path }: TaskPlace, report: ReportNotice): Promise<void> {
  if (await lock.keep()) report(notice("records_restored", { file: taskPaths(path).lock }));
}

type End = () => Promise<void>;

interface Opening {
  report: ReportNotice;
  guard: Guard;
  ends: End[];
  checks: (() => void)[];
}

async function openRecords(
  { project, path, id }: TaskPlace,
  { persist, knowledge: shared }: Configuration,
  { report, guard, ends, checks }: Opening,
): Promise<Pick<Stores, "history" | "knowledge" | "ledger">> {
  const paths = taskPaths(path);
  const history = await openHistory(paths.history, {
    task_id: id,
    persist: secondFile(project, persist, paths.history),
    report,
    guard,
  });
  ends.push(() => history.close());
  await history.copyMissed();
  const knowledge = await openKnowledge(paths.knowledge, {
    shared: secondFile(project, shared, paths.knowledge),
    report,
    guard,
  });
  ends.push(() => knowledge.close());
  const ledger = await openLedger(paths.ledger, report, guard);
  ends.push(() => ledger.close());
  checks.push(...[history, knowledge, ledger].map((journal) => () => journal.check()));
  return { history, knowledge, ledger };
}

/** A setting may name the task's own file, which needs no copy of itself. */
function secondFile(project: string, setting: string | null, own: string): string | undefined {
  const path = setting === null ? own : resolve(project, setting);
  return path === own ? undefined : path;
}

/** Backwards: the lock goes last, whatever happens to the files. */
async function finish(ends: End[]): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end().catch(() => {});
}
