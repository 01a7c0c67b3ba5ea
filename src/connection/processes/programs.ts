import { accessSync, constants, type Stats, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Message, message } from "../../model/message.ts";

/** The file that runs when `command` is started with this PATH. */
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
  // First, because most directories of a PATH lack the file, and an error takes longer than this answer.
  if (!statOf(file)?.isFile()) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why nothing can be started in this directory. `spawn` would blame the program instead. */
export function directoryProblem(path: string): Message | undefined {
  const found = statOf(path);
  if (!found) return message("directory_missing", { path });
  return found.isDirectory() ? undefined : message("not_a_directory", { path });
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Starts a child in its own session. Ctrl-Z stops our process group; if it stopped a child of `spawnSync`, or of `spawn` before it
 * has become its program, we would wait for it forever. Node's types have this option for `spawn` only; it works for both.
 */
export const OWN_SESSION = { detached: true };
