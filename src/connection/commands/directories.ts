import { type Stats, statSync } from "node:fs";
import type { Words } from "../../model/statement.ts";

/** Why nothing can be started in this directory; undefined when it can. `spawn` would blame the program. */
export function directoryProblem(path: string): Words | undefined {
  const found = factsOf(path);
  if (!found) return { en: `the directory ${path} does not exist`, ja: `ディレクトリ ${path} がありません` };
  if (found.isDirectory()) return undefined;
  return { en: `${path} is not a directory`, ja: `${path} はディレクトリではありません` };
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
