import { type Stats, statSync } from "node:fs";
import { type Message, message } from "../../model/message.ts";

/** Why nothing can be started in this directory; undefined when it can. `spawn` would blame the program. */
export function directoryProblem(path: string): Message | undefined {
  const found = factsOf(path);
  if (!found) return message("directory_missing", { path });
  if (found.isDirectory()) return undefined;
  return message("not_a_directory", { path });
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
