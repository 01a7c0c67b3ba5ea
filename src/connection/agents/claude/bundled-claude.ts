import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";

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

/** Undefined where the SDK has no directory of its own: in a program that was bundled with it. */
export function sdkVersion(): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(dirname(sdkFile()), "package.json"), "utf8"));
    return z.object({ version: z.string() }).safeParse(manifest).data?.version;
  } catch {
    return undefined;
  }
}

function sdkFile(): string {
  return createRequire(import.meta.url).resolve(SDK);
}
