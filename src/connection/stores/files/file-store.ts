import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { E8Error } from "../../../model/errors.ts";
import { notice } from "../../../model/notices.ts";
import { Knowledge } from "../../../model/roles.ts";
import type { KnowledgeRequest, TaskStore } from "../../ports/task-store.ts";
import { requireProject } from "../../project.ts";
import { fitting, USER } from "../knowledge.ts";
import { createTask } from "./create-task.ts";
import { replaceUnflushed } from "./durable.ts";
import { readEvents } from "./event-log.ts";
import { errorCode, fileProblem } from "./faults.ts";
import { readRecords } from "./json-lines.ts";
import { isOnThisHost, readLock, whoIs } from "./lock.ts";
import { copiedTasks } from "./missed-copies.ts";
import { rawLogLines } from "./raw-logs.ts";
import { listTasks, overviews, placeOf, readPast } from "./reading.ts";
import { removeTask, sizeOfTask } from "./remove-task.ts";
import { appendShared } from "./shared-file.ts";
import { readTask } from "./task-file.ts";
import { projectKnowledge, taskDirectoryOf, taskPaths } from "./task-paths.ts";

/** The tasks of a project, kept as files under `.e8/`. */
export function fileStore(directory: string): TaskStore {
  const project = resolve(directory);
  return {
    create: (input) => createTask(project, input),
    open: async (id) => {
      const place = await placeOf(project, id);
      await readTask(project, place.path, id); // creates nothing for a missing task
      const { openTask } = await import("./open-task.ts"); // keeps `e8 list` fast
      return openTask(place);
    },
    read: async (id) => readTask(project, (await placeOf(project, id)).path, id),
    list: () => listTasks(project),
    overviews: () => overviews(project),
    past: async (id) => readPast(await placeOf(project, id)),
    holder: async (id) => {
      const found = await readLock(await lockOf(project, id));
      return found && { who: whoIs(found), since: found.since };
    },
    cancel: (id) => cancelTask(project, id),
    remove: async (id) => removeTask(await placeOf(project, id)),
    size: async (id) => sizeOfTask(await placeOf(project, id)),
    copiedTo: async (persist) => {
      const own = new Set(await listTasks(project));
      return (await copiedTasks(resolve(project, persist))).filter((id) => own.has(id));
    },
    events: async function* (id, options) {
      const { path } = await placeOf(project, id);
      await readTask(project, path, id);
      yield* readEvents(path, options);
    },
    rawLog: async function* (id, request) {
      yield* rawLogLines(await placeOf(project, id), request);
    },
    knowledge: async (request) => fitting(await knowledgeEntries(project, request), request),
    addKnowledge: async (draft, now) => {
      await requireProject(project);
      const entry = Knowledge.parse({ ...draft, source_task: USER, created_at: now.toISOString() });
      await appendShared(projectKnowledge(project), [entry]);
      return entry;
    },
  };
}

async function lockOf(project: string, id: string): Promise<string> {
  const { path } = await placeOf(project, id);
  await readTask(project, path, id);
  return taskPaths(path).lock;
}

const POLL_MILLISECONDS = 50;
const PATIENCE_MILLISECONDS = 15_000;

/** Writes the request to the task's directory. A process on this machine also gets a signal, which is faster. */
async function cancelTask(project: string, id: string): Promise<boolean> {
  const lock = await lockOf(project, id);
  const holder = await readLock(lock);
  if (!holder) throw new E8Error("task_not_running", { id });
  await replaceUnflushed(taskPaths(taskDirectoryOf(project, id)).cancel, holder.token);
  const isNear = isOnThisHost(holder) && holder.pid !== process.pid;
  if (isNear && !signalled(holder.pid)) throw new E8Error("task_not_running", { id });
  for (let waited = 0; waited < PATIENCE_MILLISECONDS; waited += POLL_MILLISECONDS) {
    await sleep(POLL_MILLISECONDS);
    if ((await readLock(lock))?.token !== holder.token) return true;
  }
  return false;
}

/** False when the process has ended in the meantime. */
function signalled(pid: number): boolean {
  try {
    return process.kill(pid, "SIGTERM");
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}

async function knowledgeEntries(project: string, { task, report }: KnowledgeRequest): Promise<Knowledge[]> {
  const entries: Knowledge[] = [];
  for (const path of await knowledgePaths(project, task)) {
    try {
      for await (const entry of readRecords(path, Knowledge, () => {})) entries.push(entry);
    } catch (error) {
      if (task !== undefined || !(error instanceof E8Error)) throw error;
      report(notice("file_left_out", { file: path, problem: fileProblem(error.cause) }));
    }
  }
  return entries;
}

async function knowledgePaths(project: string, task: string | undefined): Promise<string[]> {
  const own = (id: string) => taskPaths(taskDirectoryOf(project, id)).knowledge;
  if (task === undefined) return [projectKnowledge(project), ...(await listTasks(project)).map(own)];
  const { path } = await placeOf(project, task);
  await readTask(project, path, task);
  return [own(task)];
}
