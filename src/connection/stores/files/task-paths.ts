import { join, relative, sep } from "node:path";
import type { TaskId } from "../../../model/task.ts";
import { within } from "../../files.ts";

/** Where a task is kept: `.e8/tasks/<task-id>/` of its project. Both paths are absolute. */
export interface TaskPlace {
  project: string;
  id: TaskId;
  path: string;
}

export const RECORDS_DIRECTORY = ".e8";

/** Of what is in a task's directory, and of the directory: what agents say and do is for its user only. */
export const OWN_FILE = 0o600;
export const OWN_DIRECTORY = 0o700;

/** In it: who works in this directory now, also where the records are elsewhere. */
export const LOCKS_DIRECTORY = "run";

/** In it: what this machine needs of tasks whose records are in a database. */
export const MACHINE_DIRECTORY = "machine";

export function tasksDirectory(project: string): string {
  return join(project, RECORDS_DIRECTORY, "tasks");
}

export function taskDirectoryOf(project: string, id: TaskId): string {
  return join(tasksDirectory(project), id);
}

/** The knowledge that all tasks of a project share. */
export function projectKnowledge(project: string): string {
  return join(project, RECORDS_DIRECTORY, "knowledge.jsonl");
}

/** Where a task's raw logs are: in the directory that the user chose, or among the task's own files. */
export function rawLogDirectory({ project, id, path }: TaskPlace, raw_log_dir: string | null): string {
  return raw_log_dir ? within(project, `${raw_log_dir}/${id}`) : taskPaths(path).logs;
}

/** `003`: file names in the order of the iterations. */
export function iterationNumber(iteration: number): string {
  return String(iteration).padStart(3, "0");
}

/** The files of one task. Joined by hand: a list does so for each of its tasks, and `join` looks at every letter. */
export function taskPaths(directory: string) {
  const at = (name: string) => `${directory}${sep}${name}`;
  return {
    task: at("task.json"),
    lock: at("lock"),
    history: at("history.jsonl"),
    knowledge: at("knowledge.jsonl"),
    ledger: at("spending.jsonl"),
    output: at("output.md"),
    outputs: at("outputs"),
    events: at("events.jsonl"),
    logs: at("logs"),
    /** Requests to stop and to stand still, addressed to the run whose token they hold. */
    cancel: at("cancel"),
    pause: at("pause"),
    /** Says that the run whose token it holds stands still. */
    paused: at("paused"),
    /** Notes for the next worker, a file each. */
    notes: at("notes"),
    /** How the task was given to a fleet, where it has come from a database. */
    submission: at("submission.json"),
  };
}

/** The name for people: relative to the project, absolute for a file outside of it. */
export function seenFrom(project: string, path: string): string {
  const name = relative(project, path).split(sep).join("/");
  return name.startsWith("../") ? path : name;
}
