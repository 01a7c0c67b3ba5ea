import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { E8Error } from "../../../model/errors.ts";
import { notice } from "../../../model/notices.ts";
import { Knowledge } from "../../../model/roles.ts";
import type { KnowledgeRequest, TaskStore } from "../../ports/task-store.ts";
import { requireProject } from "../../project.ts";
import { fitting, USER } from "../knowledge.ts";
import { createTask } from "./create-task.ts";
import { readEvents } from "./event-reading.ts";
import { fileProblem } from "./faults.ts";
import { readRecords } from "./json-lines.ts";
import { readLock, whoIs } from "./lock.ts";
import { copiedTasks } from "./missed-copies.ts";
import { leaveNote } from "./notes.ts";
import { rawLogLines } from "./raw-logs.ts";
import { listTasks, overviews, placeOf, readPast } from "./reading.ts";
import { removeTask, sizeOfTask } from "./remove-task.ts";
import { cancelTask, pauseTask, unpauseTask } from "./requests.ts";
import { appendShared } from "./shared-file.ts";
import { readTask } from "./task-file.ts";
import { projectKnowledge, type TaskPlace, taskDirectoryOf, taskPaths } from "./task-paths.ts";
import { sweepVault } from "./vault/vault.ts";
import { watchTasks } from "./watching.ts";

/** The tasks of a project, kept as files under `.e8/`. */
export function fileStore(directory: string): TaskStore {
  const project = resolve(directory);
  return {
    create: (input) => createTask(project, input),
    open: async (id, options) => {
      const place = await knownPlace(project, id); // creates nothing for a missing task
      const { openTask } = await import("./open-task.ts"); // keeps `e8 list` fast
      return openTask(place, options);
    },
    read: async (id) => readTask(project, (await placeOf(project, id)).path, id),
    list: () => listTasks(project),
    overviews: (ids) => overviews(project, ids),
    watch: (changed) => watchTasks(project, changed),
    past: async (id) => readPast(await placeOf(project, id)),
    holder: async (id) => {
      const found = await readLock(taskPaths((await knownPlace(project, id)).path).lock);
      return found && { who: whoIs(found), since: found.since };
    },
    cancel: async (id) => cancelTask(await knownPlace(project, id)),
    pause: async (id) => pauseTask(await knownPlace(project, id)),
    unpause: async (id) => unpauseTask(await knownPlace(project, id)),
    tell: async (id, text, now) => leaveNote(taskPaths((await knownPlace(project, id)).path).notes, text, now),
    remove: async (id) => removeTask(await placeOf(project, id)),
    sweep: async () => {
      for (const one of await overviews(project))
        if ("status" in one && one.status === "completed") await rm(taskPaths(one.location).lock, { force: true });
      return sweepVault(project, await listTasks(project));
    },
    size: async (id) => sizeOfTask(await placeOf(project, id)),
    copiedTo: async (persist) => {
      const own = new Set(await listTasks(project));
      return (await copiedTasks(resolve(project, persist))).filter((id) => own.has(id));
    },
    events: async function* (id, options) {
      const { path } = await knownPlace(project, id);
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

/** The place of a task that can be read. */
async function knownPlace(project: string, id: string): Promise<TaskPlace> {
  const place = await placeOf(project, id);
  await readTask(project, place.path, id);
  return place;
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
  await knownPlace(project, task);
  return [own(task)];
}
