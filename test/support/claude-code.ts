import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Sandbox } from "./sandbox.ts";

/** The real Claude Code that comes with the package. */
export function bundledClaude(): string {
  const sdk = createRequire(createRequire(import.meta.url).resolve("@anthropic-ai/claude-agent-sdk"));
  return sdk.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
}

/** A user's own session with Claude Code in the sandbox's project, told one thing. */
export async function claudeSession({ project, env }: Sandbox, words: string, ...flags: string[]): Promise<string> {
  const args = ["-p", words, "--output-format", "text", "--setting-sources", "user", ...flags];
  const session = promisify(execFile)(bundledClaude(), args, { cwd: project, env, timeout: 100_000 });
  session.child.stdin?.end();
  const { stdout } = await session.catch((failure: Error & { stdout?: string }) => {
    throw new Error(`${failure.message}\n${failure.stdout}`);
  });
  return stdout;
}
