import { stat } from "node:fs/promises";

/** Why nothing can be started in this directory; undefined when it can. `spawn` would blame the program. */
export async function directoryProblem(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return `the directory ${path} does not exist`;
  return found.isDirectory() ? undefined : `${path} is not a directory`;
}
