import { chmod, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

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

function bundledClaude(): string {
  const sdk = createRequire(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));
  return sdk.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
}
