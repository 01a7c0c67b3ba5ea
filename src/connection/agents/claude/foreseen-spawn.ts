import { isDeepStrictEqual } from "node:util";
import type { Options, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { bundledClaude, sdkVersion } from "./bundled-claude.ts";

/** A start of Claude Code, as the SDK asks for it. */
export type Spawn = Pick<SpawnOptions, "command" | "args" | "cwd" | "env">;

/**
 * What the SDK is going to start for the options that we use, told before the SDK is loaded. A guess: it counts only when the SDK then
 * asks for exactly that. Undefined where there is none.
 */
export function foreseenSpawn(options: Options): Spawn | undefined {
  const { pathToClaudeCodeExecutable: command = bundledClaude(), cwd, env = {} } = options;
  const version = sdkVersion();
  if (!command || !version || SCRIPT.test(command)) return undefined;
  return { command, args: argumentsFor(options), ...(cwd && { cwd }), env: environmentFor(env, version) };
}

export function isSameSpawn(one: Spawn, other: Spawn): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** The SDK starts these with another program. */
const SCRIPT = /\.(js|mjs|ts|tsx|jsx)$/;

function plain({ command, args, cwd, env }: Spawn): unknown {
  return [
    command,
    args,
    cwd,
    Object.entries(env)
      .filter(([, value]) => value !== undefined)
      .sort(),
  ];
}

function argumentsFor(options: Options): string[] {
  const { maxTurns, maxBudgetUsd, model, outputFormat, allowedTools, disallowedTools, tools } = options;
  return [
    ..."--output-format stream-json --verbose --input-format stream-json".split(" "),
    ...valued("--max-turns", maxTurns),
    ...valued("--max-budget-usd", maxBudgetUsd),
    ...valued("--model", model),
    ...valued("--json-schema", outputFormat && JSON.stringify(outputFormat.schema)),
    ...valued("--allowedTools", listed(allowedTools)),
    ...valued("--disallowedTools", listed(disallowedTools)),
    ...valued("--tools", Array.isArray(tools) ? tools.join(",") : undefined),
    ...valued("--setting-sources", options.settingSources?.join(",")),
    ...flag("--strict-mcp-config", options.strictMcpConfig),
    ...valued("--permission-mode", options.permissionMode),
    ...flag("--allow-dangerously-skip-permissions", options.allowDangerouslySkipPermissions),
    ...flag("--include-partial-messages", options.includePartialMessages),
    ...(options.plugins ?? []).map(({ path }) => `--plugin-dir-no-mcp=${path}`),
    ...flag("--no-session-persistence", options.persistSession === false),
    ...Object.entries(options.extraArgs ?? {}).flatMap(([name, value]) => [
      `--${name}`,
      ...(value === null ? [] : [value]),
    ]),
    ...(typeof options.settings === "string" ? ["--settings", options.settings] : []),
  ];
}

function valued(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${name}=${value}`];
}

function listed(values: readonly string[] | undefined): string | undefined {
  return values && values.length > 0 ? values.join(",") : undefined;
}

function flag(name: string, isSet: boolean | undefined): string[] {
  return isSet ? [name] : [];
}

function environmentFor(given: Spawn["env"], version: string): Spawn["env"] {
  const { NODE_OPTIONS: _, DEBUG: __, ...env } = given;
  return {
    CLAUDE_CODE_ENTRYPOINT: "sdk-ts",
    CLAUDE_AGENT_SDK_VERSION: version,
    CLAUDE_CODE_SDK_READS_SESSION_STATE: "1",
    ...env,
  };
}
