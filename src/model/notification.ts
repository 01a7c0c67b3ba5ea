import { z } from "zod";
import type { FailureCode } from "./agent.ts";
import type { LoopResult } from "./records.ts";

/** What a user who is away can be told of. `stall`: the run ended because nothing moved any more. */
export const NotifyEvent = z.enum(["end", "wait", "question", "stall"]);
export type NotifyEvent = z.infer<typeof NotifyEvent>;

/** How the user is told. `on_end` is a command for the end alone. */
export const NOTIFY_CHANNELS = ["desktop", "webhook", "command", "on_end"] as const;
export type NotifyChannel = (typeof NOTIFY_CHANNELS)[number];

/**
 * What a notification says. It leaves the machine, so it has facts only: no output, evidence or error texts of the run, in which a
 * secret may stand. The task and the questions are cut.
 */
export interface Notification {
  event: NotifyEvent;
  task_id: string;
  project: string;
  task: string;
  at: string;
  result?: NotifiedResult;
  wait?: { code: FailureCode; until: string };
  questions?: string[];
}

export interface NotifiedResult
  extends Pick<LoopResult, "status" | "stop_reason" | "iterations_used" | "error_code" | "usage"> {
  criteria_met: number;
  criteria: number;
}
