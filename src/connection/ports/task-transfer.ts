import type { FleetSubmission } from "../../model/fleet.ts";
import type { TaskId } from "../../model/task.ts";
import type { RawLine } from "./task-store.ts";

/** A whole task on its way from one store to another: texts to the byte, as they were stored, the hidden parts among them. */
export interface TaskParcel {
  task_id: TaskId;
  /** The task as JSON. */
  task: string;
  /** Records as JSON, oldest first; so are the others. */
  history: string[];
  knowledge: string[];
  spending: string[];
  events: string[];
  notes: string[];
  /** The text that was handed in last; empty where none was. */
  output: string;
  /** The text of every iteration. */
  outputs: [iteration: number, text: string][];
  raw_lines: RawLine[];
  /** Absent for a task that no fleet was given. */
  submission?: FleetSubmission;
}

/** How tasks and knowledge leave a store and come into it. */
export interface TaskTransfer {
  /** Throws `task_is_running` for a task that a run holds. */
  pack(id: TaskId): Promise<TaskParcel>;
  /** Stores the task, or leaves nothing behind. Throws `task_exists` where its id is taken. */
  unpack(parcel: TaskParcel): Promise<void>;
  /** What all tasks of the project share, as JSON. */
  sharedKnowledge(): Promise<string[]>;
  addShared(entries: readonly string[]): Promise<void>;
}
