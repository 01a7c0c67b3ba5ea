import { z } from "zod";
import type { EventEnvelope } from "./events.ts";
import type { LoopStatus } from "./records.ts";
import type { TaskId } from "./task.ts";

/** What a worker of a fleet tells, beside the events of its runs. */
export type WorkerEvent =
  | ({ type: "worker-start" } & WorkerIdentity)
  | { type: "task-taken"; task_id: TaskId; project: string }
  | { type: "run"; task_id: TaskId; envelope: EventEnvelope }
  | { type: "task-end"; task_id: TaskId; status: LoopStatus }
  /** It waits again, and any worker may go on. */
  | { type: "task-handed-back"; task_id: TaskId }
  /** Another worker has it: this one had shown no life. */
  | { type: "task-lost"; task_id: TaskId }
  /** It cannot run now; it waits again for so many seconds. */
  | { type: "task-postponed"; task_id: TaskId; seconds: number; error_code: string; error_details: object }
  /** It cannot run at all; this is recorded as its end. */
  | { type: "task-failed"; task_id: TaskId; error_code: string; error_details: object }
  /** No task is taken any more. */
  | { type: "draining"; tasks: number }
  | { type: "store-away"; error_code: string; error_details: object }
  | { type: "store-back" }
  | { type: "worker-end"; tasks: number };

export interface WorkerIdentity {
  worker_id: string;
  name: string;
  host: string;
  pid: number;
  /** How many tasks it works on at once. */
  slots: number;
  labels: string[];
  /** Whose tasks it takes. */
  projects: string[];
  since: string;
}

/** What a worker does with one of its slots. */
export interface WorkerSlot {
  task_id: TaskId;
  since: string;
  iteration: number;
  /** When a limit ends that the run waits for. */
  waits_until?: number;
}

/** How a task was given to the fleet, as a task has it with it that leaves its database. */
export const FleetSubmission = z.object({
  labels: z.array(z.string()),
  /** As the submitter has put it; empty: none. */
  priority: z.string(),
  /** Its place in line. */
  rank: z.int(),
  submitted_at: z.string(),
  /** The number of its last ending before. One after that is what the fleet has made of it. */
  since: z.int(),
  cancelled_at: z.string().nullable(),
});
export type FleetSubmission = z.infer<typeof FleetSubmission>;

/** A task that a worker has put off, why, and when it looks at it again, in milliseconds. */
export interface PostponedTask {
  task_id: TaskId;
  again_at: number;
  error_code: string;
  error_details: object;
}
