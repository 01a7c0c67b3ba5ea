import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { type Notice, notice } from "../../../model/notices.ts";
import { Spending } from "../../../model/usage.ts";
import type { Ledger, OpenTask } from "../../ports/task-store.ts";
import { FileEventLog } from "./event-log.ts";
import { openHistory } from "./history.ts";
import { openJournal } from "./journal.ts";
import { openKnowledge } from "./knowledge.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { readOutput, saveOutput } from "./outputs.ts";
import { rawLogPath, rawLogWriter } from "./raw-logs.ts";
import { TaskFile, textIn } from "./task-file.ts";
import { seenFrom, type TaskPlace, taskPaths } from "./task-paths.ts";

/** How soon a request to cancel is noticed. */
const POLL_MILLISECONDS = 500;

/** Locks a task, then opens its files. Writes nothing before it holds the lock. */
export async function openTask(place: TaskPlace): Promise<OpenTask> {
  const paths = taskPaths(place.path);
  const lock = await acquireLock(paths.lock, place.id);
  const closing: (() => Promise<void>)[] = [lock.release];
  try {
    return await openLocked(place, lock, closing);
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

async function openLocked(place: TaskPlace, lock: Lock, closing: (() => Promise<void>)[]): Promise<OpenTask> {
  const { project, id, path } = place;
  const paths = taskPaths(path);
  const notices: Notice[] = [];
  const report = (one: Notice) => void notices.push(one);
  // A worker may remove the lock; that must not let another run in.
  const guard = async () => {
    if (await lock.keep()) report(notice("records_restored", { file: paths.lock }));
  };
  const file = await TaskFile.open(place, guard);
  const { persist, knowledge: shared, logging } = file.task.configuration;
  const history = await openHistory(paths.history, {
    task_id: id,
    persist: secondFile(project, persist, paths.history),
    report,
    guard,
  });
  closing.push(() => history.close());
  await history.copyMissed();
  const knowledge = await openKnowledge(paths.knowledge, {
    shared: secondFile(project, shared, paths.knowledge),
    report,
    guard,
  });
  closing.push(() => knowledge.close());
  const spending = await openJournal(paths.ledger, Spending, report, guard);
  closing.push(() => spending.close());
  const events = new FileEventLog(paths.events, { task_id: id, guard });
  closing.push(() => events.close());
  const cancelling = watchForCancel(paths.cancel, lock.token);
  closing.push(cancelling.stop);
  return {
    get task() {
      return file.task;
    },
    location: path,
    history_path: seenFrom(project, paths.history),
    token: path,
    history,
    knowledge,
    ledger: ledgerIn(spending),
    events,
    rawLog: rawLogWriter(place, logging.raw_log_dir, report),
    rawLogPath: (iteration) => rawLogPath(place, logging.raw_log_dir, iteration),
    cancelled: cancelling.signal,
    save: (change) => file.save(change),
    saveOutput: async (output) => {
      await guard();
      return saveOutput(place, output);
    },
    readOutput: (iteration) => readOutput(place, iteration),
    output_path: paths.output,
    verify: async () => {
      if (await file.restore()) report(notice("records_restored", { file: paths.task }));
      for (const journal of [history, knowledge, spending]) journal.check();
    },
    takeNotices: () => notices.splice(0),
    release: () => closeAll(closing),
  };
}

function ledgerIn(journal: Awaited<ReturnType<typeof openJournal<Spending>>>): Ledger {
  return {
    append: async (spending) => void (await journal.append(spending)),
    entries: () => journal.read(),
  };
}

/** A request names a run by its token, so a request to an earlier run is ignored. */
function watchForCancel(path: string, token: string): { signal: AbortSignal; stop: () => Promise<void> } {
  const controller = new AbortController();
  const look = () => {
    if (textIn(path) === token) controller.abort();
  };
  const timer = setInterval(look, POLL_MILLISECONDS).unref();
  const stop = async () => {
    clearInterval(timer);
    if (textIn(path) === token) await rm(path, { force: true });
  };
  return { signal: controller.signal, stop };
}

/** Undefined where the setting names the task's own file, which needs no copy. */
function secondFile(project: string, setting: string | null, own: string): string | undefined {
  const path = setting === null ? own : resolve(project, setting);
  return path === own ? undefined : path;
}

/** In reverse order: the lock is released last, even when a file cannot be closed. */
async function closeAll(closing: (() => Promise<void>)[]): Promise<void> {
  for (let close = closing.pop(); close; close = closing.pop()) await close().catch(() => {});
}
