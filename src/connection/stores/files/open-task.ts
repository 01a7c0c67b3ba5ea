import { chmod } from "node:fs/promises";
import { resolve } from "node:path";
import { hiddenIds } from "../../../model/hidden.ts";
import { type Notice, notice } from "../../../model/notices.ts";
import { Spending, spentInAll } from "../../../model/usage.ts";
import type { Ledger, OpenTask } from "../../ports/open-task.ts";
import type { OpenOptions, ReportNotice } from "../../ports/task-store.ts";
import { sweepDrafts } from "./durable.ts";
import { FileEventLog } from "./event-log.ts";
import { openHistory } from "./history.ts";
import { type Guard, openJournal } from "./journal.ts";
import { collect } from "./json-lines.ts";
import { openKnowledge } from "./knowledge.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { noteBox } from "./notes.ts";
import { readOutput, saveOutput } from "./outputs.ts";
import { rawLogPath, rawLogWriter } from "./raw-logs.ts";
import { listTasks } from "./reading.ts";
import { watchRequests } from "./requests.ts";
import { readProjectTask, TaskFile } from "./task-file.ts";
import { OWN_DIRECTORY, projectKnowledge, seenFrom, type TaskPlace, taskPaths } from "./task-paths.ts";
import { vaultPaths } from "./vault/registry.ts";
import { openVault } from "./vault/vault.ts";

/** Locks a task, then opens its files. Writes nothing before it holds the lock. */
export async function openTask(place: TaskPlace, options: OpenOptions = {}): Promise<OpenTask> {
  const paths = taskPaths(place.path);
  const lock = await acquireLock(paths.lock, place.id);
  const closing: (() => Promise<void>)[] = [lock.release];
  try {
    return await openLocked(place, { lock, closing, ...options });
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

interface Opening extends OpenOptions {
  lock: Lock;
  closing: (() => Promise<void>)[];
}

async function openLocked(place: TaskPlace, opening: Opening): Promise<OpenTask> {
  const { lock, closing } = opening;
  const { project, id, path } = place;
  const paths = taskPaths(path);
  await chmod(path, OWN_DIRECTORY).catch(() => {}); // made by an earlier version, or moved here by somebody else
  for (const folder of [path, paths.outputs, paths.notes, vaultPaths(project, id).directory]) await sweepDrafts(folder);
  const notices: Notice[] = [];
  const report = (one: Notice) => void notices.push(one);
  // A worker may remove the lock; that must not let another run in.
  const guard = async () => {
    if (await lock.keep()) report(notice("records_restored", { file: paths.lock }));
  };
  const { file, history, knowledge, spending } = await openRecords(place, { ...opening, report, guard });
  const { logging, criteria } = file.task.configuration;
  const hidden = hiddenIds(criteria);
  const events = new FileEventLog(paths.events, { task_id: id, guard, hidden });
  closing.push(() => events.close());
  const { stop, ...requests } = watchRequests(path, lock.token);
  closing.push(stop);
  return {
    get task() {
      return file.task;
    },
    location: path,
    folder: path,
    history_path: seenFrom(project, paths.history),
    token: path,
    history,
    knowledge,
    ledger: ledgerIn(spending),
    events,
    rawLog: rawLogWriter(place, logging.raw_log_dir, report),
    rawLogPath: (iteration) => rawLogPath(place, logging.raw_log_dir, iteration),
    ...requests,
    notes: noteBox(paths.notes, guard),
    save: (change) => file.save(change),
    saveOutput: async (output) => {
      await guard();
      return saveOutput(place, output);
    },
    readOutput: (iteration) => readOutput(place, iteration),
    output_path: paths.output,
    verify: async () => {
      if (await file.restore()) report(notice("records_restored", { file: paths.task }));
      await knowledge.restore();
      for (const journal of [history, knowledge, spending]) journal.check();
    },
    requireHeld: async () => void (await guard()),
    takeNotices: () => notices.splice(0),
    release: () => closeAll(closing),
  };
}

/** The task and its records, compared with their copies. */
async function openRecords(
  place: TaskPlace,
  { acceptChanges = false, closing, report, guard }: Opening & { report: ReportNotice; guard: Guard },
) {
  const { project, id, path } = place;
  const paths = taskPaths(path);
  const vault = await openVault(place, {
    acceptChanges,
    report,
    present: () => listTasks(project),
    found: () => readProjectTask(project, path, id),
  });
  const protection = (name: "history" | "knowledge" | "ledger") => {
    return { guard, copy: vault && { path: vault.paths[name], isNew: vault.isNew } };
  };
  const file = await TaskFile.open(place, guard, vault?.paths.task);
  const { persist, knowledge: shared, criteria } = file.task.configuration;
  const ids = hiddenIds(criteria);
  const history = await openHistory(paths.history, {
    task_id: id,
    persist: secondFile(project, persist, paths.history),
    report,
    ...protection("history"),
    hidden: vault && ids.size > 0 ? { ids, path: vault.paths.hidden } : undefined,
  });
  closing.push(() => history.close());
  await history.copyMissed();
  const files = knowledgeFiles(place, shared);
  const knowledge = await openKnowledge(paths.knowledge, { ...files, report, ...protection("knowledge") });
  closing.push(() => knowledge.close());
  const spending = await openJournal(paths.ledger, Spending, report, protection("ledger"));
  closing.push(() => spending.close());
  return { file, history, knowledge, spending };
}

function ledgerIn(journal: Awaited<ReturnType<typeof openJournal<Spending>>>): Ledger {
  return {
    append: async (spending) => void (await journal.append(spending)),
    spent: async (ending) => spentInAll(await collect(journal.read()), ending),
  };
}

/** Without a setting, a task reads what the project knows, and keeps what it learns to itself. */
function knowledgeFiles({ project, path }: TaskPlace, setting: string | null) {
  const known = projectKnowledge(project);
  const shared = secondFile(project, setting ?? known, taskPaths(path).knowledge);
  return { shared, keepsToItself: setting === null, project: known };
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
