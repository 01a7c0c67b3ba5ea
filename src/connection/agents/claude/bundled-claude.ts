import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";

const SDK = "@anthropic-ai/claude-agent-sdk";

/** The Claude Code that comes with the Agent SDK, where the SDK looks for it: in an optional package for each platform. */
export function bundledClaude(): string | undefined {
  const require = createRequire(sdkFile());
  const platform = `${SDK}-${process.platform}-${process.arch}`;
  for (const name of [platform, `${platform}-musl`]) {
    try {
      return require.resolve(`${name}/claude`);
    } catch {
      // not installed: the other one may be
    }
  }
  return undefined;
}

export function sdkVersion(): string | undefined {
  const manifest: unknown = JSON.parse(readFileSync(join(dirname(sdkFile()), "package.json"), "utf8"));
  return z.object({ version: z.string() }).safeParse(manifest).data?.version;
}

function sdkFile(): string {
  return createRequire(import.meta.url).resolve(SDK);
}
