import { createRequire } from "node:module";

const SDK = "@anthropic-ai/claude-agent-sdk";

/** The Claude Code that comes with the Agent SDK, where the SDK looks for it: in an optional package for each platform. */
export function bundledClaude(): string | undefined {
  const platform = `${SDK}-${process.platform}-${process.arch}`;
  for (const name of [platform, `${platform}-musl`]) {
    try {
      return createRequire(sdkFile()).resolve(`${name}/claude`);
    } catch {
      // not installed: the other one may be
    }
  }
  return undefined;
}

function sdkFile(): string {
  return createRequire(import.meta.url).resolve(SDK);
}
