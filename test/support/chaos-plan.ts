import type { HistoryRecord } from "../../src/model/records.ts";

export interface ChaosPlan {
  seed: number;
  workers: number;
  slots: number;
  tasks: number;
  iterations: number;
  /** In seconds. */
  lease: number;
  /** How many tasks may be held at once: fewer than the slots. */
  limit: number;
  /** How many blows there are at most; the rest is left in peace. */
  blows: number;
}

export interface ChaosReport {
  statuses: string[];
  /** The records of each task, oldest first. */
  histories: HistoryRecord[][];
  blows: Record<Blow, number>;
  /** How many tasks a worker has had at once, at most. */
  most_at_once: number;
  /** How many leases there were at once, at most, as the database saw them. */
  most_held: number;
  /** From the death of a worker until another one took its task. */
  takeovers: Takeover[];
  /** What ended with an error, and why. */
  failures: object[];
  /** Why a worker has ended that was neither killed nor told to leave. */
  crashes: string[];
  seconds: number;
  home: string;
}

export interface Takeover {
  seconds: number;
  /** Until its run went on there: a limit may keep it for longer. Undefined where that worker was struck before. */
  goes_on: number | undefined;
  /** The longest part of them in which the database was there and a worker had room all the time: before, others were in line. */
  with_room: number;
}

export const BLOWS = ["SIGKILL", "SIGTERM", "SIGSTOP", "restart"] as const;
export type Blow = (typeof BLOWS)[number];
