import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { E8Error } from "../../../model/errors.ts";
import { hiddenIds, hiddenOutputs, publicRecord, publicTask, withHiddenOutputs } from "../../../model/hidden.ts";
import { isRecord, jsonIn } from "../../../model/json.ts";
import { HistoryRecord } from "../../../model/records.ts";
import { Task, type TaskId } from "../../../model/task.ts";
import type { TaskParcel, TaskTransfer } from "../../ports/task-transfer.ts";
import { storedJson } from "../stored-json.ts";
import { makeRecordsDirectory, type Undo, undo } from "./create-task.ts";
import { syncDirectory } from "./durable.ts";
import { errorCode, writeFault } from "./faults.ts";
import { collect } from "./json-lines.ts";
import { readLock } from "./lock.ts";
import { outputOf } from "./outputs.ts";
import { logPath, rawLogLines } from "./raw-logs.ts";
import { listTasks, placeOf, readHiddenOutputs } from "./reading.ts";
import { appendShared } from "./shared-file.ts";
import { readSubmission } from "./submission.ts";
import { readTask } from "./task-file.ts";
import {
  OWN_DIRECTORY,
  OWN_FILE,
  projectKnowledge,
  rawLogDirectory,
  type TaskPlace,
  taskDirectoryOf,
  taskPaths,
  tasksDirectory,
} from "./task-paths.ts";
import { taskText } from "./task-text.ts";
import { requireRegistry, vaultPaths } from "./vault/registry.ts";
import { believedPaths, forgetVault, keepNewTask } from "./vault/vault.ts";

export function filesTransfer(project: string): TaskTransfer {
  return {
    pack: async (id) => pack(await placeOf(project, id)),
    unpack: (parcel) => unpack({ project, id: parcel.task_id, path: taskDirectoryOf(project, parcel.task_id) }, parcel),
    sharedKnowledge: () => linesOf(projectKnowledge(project)),
    addShared: async (entries) => {
      await makeRecordsDirectory(project, []);
      await appendShared(
        projectKnowledge(project),
        entries.map((entry) => JSON.parse(entry)),
      );
    },
  };
}

async function pack(place: TaskPlace): Promise<TaskParcel> {
  const { project, id, path } = place;
  const task = await readTask(project, path, id);
  const paths = believedPaths(place);
  if (await readLock(paths.lock)) throw new E8Error("task_is_running", { id });
  const hidden = paths.vault ? await readHiddenOutputs(paths.vault.hidden) : [];
  const history = await linesOf(paths.history);
  const noteNames = (await namesIn(paths.notes)).filter((name) => name.endsWith(".json")).sort();
  const notes = await Promise.all(noteNames.map((name) => textIn(join(paths.notes, name))));
  const submission = readSubmission(path);
  const numbers = (await namesIn(paths.outputs)).flatMap((name) => /^(\d+)\.md$/.exec(name)?.[1] ?? []).map(Number);
  const texts = numbers
    .sort((left, right) => left - right)
    .map(async (iteration): Promise<[number, string]> => [iteration, await textIn(outputOf(path, iteration))]);
  return {
    task_id: id,
    task: JSON.stringify(task),
    history: hidden.length === 0 ? history : history.map((line) => withOutputs(line, hidden)),
    knowledge: await linesOf(paths.knowledge),
    spending: await linesOf(paths.ledger),
    events: await linesOf(paths.events),
    notes: notes.filter((text) => isRecord(jsonIn(text))),
    output: await textIn(paths.output),
    outputs: await Promise.all(texts),
    raw_lines: await rawLinesOf(place),
    ...(submission && { submission }),
  };
}

function withOutputs(line: string, hidden: Parameters<typeof withHiddenOutputs>[1]): string {
  const record = HistoryRecord.safeParse(jsonIn(line)).data;
  const [whole] = record ? withHiddenOutputs([record], hidden) : [];
  const isSame = whole === undefined || storedJson(whole) === storedJson(record ?? {});
  return isSame ? line : storedJson(whole);
}

async function rawLinesOf(place: TaskPlace): Promise<TaskParcel["raw_lines"]> {
  const task = await readTask(place.project, place.path, place.id);
  if ((await namesIn(rawLogDirectory(place, task.configuration.logging.raw_log_dir))).length === 0) return [];
  return collect(rawLogLines(place, { follow: false, report: () => {} })).catch(() => []);
}

/** The lines that hold a JSON object: a torn one is no record. */
async function linesOf(path: string): Promise<string[]> {
  return (await textIn(path)).split("\n").filter((line) => isRecord(jsonIn(line)));
}

function textIn(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  });
}

function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

async function unpack(place: TaskPlace, parcel: TaskParcel): Promise<void> {
  const { project, id, path } = place;
  if (existsSync(path)) throw new E8Error("task_exists", { id, place: path });
  const task = Task.parse(JSON.parse(parcel.task));
  const made: Undo[] = [];
  try {
    await makeRecordsDirectory(project, made);
    await requireRegistry(project, () => listTasks(project)).catch(() => {});
    await mkdir(path, { mode: OWN_DIRECTORY });
    made.push(() => rm(path, { recursive: true, force: true }));
    made.push(() => forgetVault(place));
    await keepNewTask(place, task);
    await writeRecords(place, task, parcel);
    await writeTexts(place, task, parcel);
    await writeFile(taskPaths(path).task, taskText(publicTask(task)), { mode: OWN_FILE, flush: true });
    await syncDirectory(tasksDirectory(project));
  } catch (error) {
    await undo(made);
    throw writeFault(error, path);
  }
}

/** The journals and their copies outside the project, where there are some. The output of hidden checks is only there. */
async function writeRecords({ project, id, path }: TaskPlace, task: Task, parcel: TaskParcel): Promise<void> {
  const own = taskPaths(path);
  const vault = vaultPaths(project, id);
  const ids = hiddenIds(task.configuration.criteria);
  const hidden = parcel.history.flatMap((line) => hiddenIn(line, ids));
  const history = parcel.history.map((line) => publicLine(line, ids));
  for (const [name, lines] of [
    ["history", history],
    ["knowledge", parcel.knowledge],
    ["ledger", parcel.spending],
  ] as const) {
    await writeFile(own[name], textOf(lines), { mode: OWN_FILE, flush: true });
    if (existsSync(vault.directory)) await copyFile(own[name], vault[name]);
  }
  if (hidden.length > 0) await writeFile(vault.hidden, textOf(hidden), { mode: 0o600, flush: true });
  if (parcel.events.length > 0) await writeFile(own.events, textOf(parcel.events), { mode: OWN_FILE });
}

function publicLine(line: string, ids: ReadonlySet<number>): string {
  const record = ids.size === 0 ? undefined : HistoryRecord.safeParse(jsonIn(line)).data;
  return record && hiddenOutputs(record, ids).length > 0 ? storedJson(publicRecord(record, ids)) : line;
}

function hiddenIn(line: string, ids: ReadonlySet<number>): string[] {
  const record = ids.size === 0 ? undefined : HistoryRecord.safeParse(jsonIn(line)).data;
  return record ? hiddenOutputs(record, ids).map(storedJson) : [];
}

async function writeTexts(place: TaskPlace, task: Task, parcel: TaskParcel): Promise<void> {
  const { path } = place;
  const paths = taskPaths(path);
  const files = new Map<string, string>();
  if (parcel.output !== "") files.set(paths.output, parcel.output);
  for (const [iteration, text] of parcel.outputs) files.set(outputOf(path, iteration), text);
  if (parcel.submission) files.set(paths.submission, `${JSON.stringify(parcel.submission)}\n`);
  for (const text of parcel.notes) files.set(join(paths.notes, `${noteName(text)}.json`), text);
  const logs = rawLogDirectory(place, task.configuration.logging.raw_log_dir);
  for (const { iteration, role, line } of parcel.raw_lines) {
    const file = logPath(logs, iteration, role);
    files.set(file, `${files.get(file) ?? ""}${line}\n`);
  }
  for (const [file, text] of files) {
    await mkdir(dirname(file), { recursive: true, mode: OWN_DIRECTORY });
    await writeFile(file, text, { mode: OWN_FILE, flush: true });
  }
}

/** A note's id is part of a path here, whoever has written it. */
function noteName(text: string): string {
  const { note_id } = JSON.parse(text) as { note_id: TaskId };
  return String(note_id).replaceAll(/[^\w.-]/g, "-");
}
