import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundledClaude } from "./claude-code.ts";

export interface CountingClaude {
  /** The bundled Claude Code, which first writes down that it was started. */
  executable: string;
  /** How often it was. */
  starts(): Promise<number>;
}

/** `before`: shell commands that run instead of the start, or ahead of it. */
export async function countingClaude(directory: string, before = ":"): Promise<CountingClaude> {
  const [executable, diary] = [join(directory, "counting claude"), join(directory, "starts")];
  await writeFile(executable, `#!/bin/sh\necho $$ >> '${diary}'\n${before}\nexec '${bundledClaude()}' "$@"\n`);
  await chmod(executable, 0o755);
  const lines = async () => (await readFile(diary, "utf8").catch(() => "")).split("\n").filter(Boolean);
  return { executable, starts: async () => (await lines()).length };
}
