import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The file that runs when `command` is started with this PATH; undefined where there is none. */
export function findProgram(command: string, path: string | undefined): string | undefined {
  const candidates = command.includes("/")
    ? [command]
    : directoriesOf(path).map((directory) => join(directory, command));
  return candidates.find(isExecutable);
}

function directoriesOf(path: string | undefined): string[] {
  return (path ?? "").split(delimiter).filter((directory) => directory !== "");
}

function isExecutable(file: string): boolean {
  try {
    // Asked first, because most directories of a PATH have no such file, and to be told so by an error takes longer.
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
