import { stat } from "node:fs/promises";
import type { Words } from "../../model/wording.ts";

/** Why nothing can be started in this directory; undefined when it can. `spawn` would blame the program. */
export async function directoryProblem(path: string): Promise<Words | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return { en: `the directory ${path} does not exist`, ja: `ディレクトリ ${path} がありません` };
  if (found.isDirectory()) return undefined;
  return { en: `${path} is not a directory`, ja: `${path} はディレクトリではありません` };
}
