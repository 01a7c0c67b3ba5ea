import { lstatSync, readFileSync, statSync } from "node:fs";
import type { Task } from "../../../model/task.ts";

/** A task as it is stored. */
export function taskText(task: Task): string {
  return `${JSON.stringify(task, null, 2)}\n`;
}

/** A suffix that readers of records ignore. */
export const SET_ASIDE = ".changed";

/** Undefined where there is no regular file. A pipe could block the reader for ever. */
export function textIn(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

export function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
