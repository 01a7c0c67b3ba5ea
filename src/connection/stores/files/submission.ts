import { existsSync, readFileSync } from "node:fs";
import { FleetSubmission } from "../../../model/fleet.ts";
import { jsonIn } from "../../../model/json.ts";
import { taskPaths } from "./task-paths.ts";

/** How the task was given to a fleet, before it came here from a database. */
export function readSubmission(task: string): FleetSubmission | undefined {
  const { submission } = taskPaths(task);
  return existsSync(submission) ? FleetSubmission.safeParse(jsonIn(readFileSync(submission, "utf8"))).data : undefined;
}

/** Whether it was taken back from the fleet, and has had no ending since. `ended`: the number of its last ending. */
export function isWithdrawn(task: string, ended: number): boolean {
  const given = readSubmission(task);
  return given !== undefined && given.cancelled_at !== null && ended <= given.since;
}
