import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { jsonIn } from "../../../model/json.ts";
import type { Role } from "../../../model/roles.ts";
import { type ClaudeAgentOptions, environmentOf } from "./configuration.ts";
import { selectMcpServers } from "./mcp-servers.ts";
import { AnyObject, userFiles } from "./user-files.ts";

/**
 * The files that a Claude Code reads when it starts, and never again. Instructions, skills and git it reads for every fresh
 * context.
 */
export interface StartupFiles {
  /** Equal as long as a process that was started earlier would be started in the same way now. */
  fingerprint: string;
  /** Whether starting it does nothing that anybody could notice. */
  isQuiet: boolean;
}

/** For all roles but the executor only the user's settings count: they see nothing else. */
export async function readStartupFiles(options: ClaudeAgentOptions, role: Role): Promise<StartupFiles> {
  const { settings: userSettings } = userFiles(environmentOf(options));
  const managed = MANAGED_DIRECTORIES.map((directory) => join(directory, "managed-settings.json"));
  if (role !== "executor")
    return { fingerprint: JSON.stringify(await readAll([userSettings, ...managed])), isQuiet: true };
  const homes = [dirname(userSettings), ...withParents(options.working_directory).map((one) => join(one, ".claude"))];
  const settings = homes.flatMap((home) => ["settings.json", "settings.local.json"].map((name) => join(home, name)));
  const [texts, stamps, mcp] = await Promise.all([
    readAll([...settings, ...managed]),
    Promise.all(homes.flatMap((home) => READ_ONCE.map((name) => stampsIn(join(home, name))))),
    selectMcpServers(options),
  ]);
  const isQuiet = Object.keys(mcp.servers).length === 0 && texts.every(isQuietText);
  return { fingerprint: JSON.stringify([texts, stamps, mcp]), isQuiet };
}

const READ_ONCE = ["agents", "output-styles"];
const MANAGED_DIRECTORIES = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"];

/** Hooks that run before anything is asked, and what plugins bring, must not happen for an answer that may never be wanted. */
function isQuietText(text: string): boolean {
  if (text === "") return true;
  const settings = SettingsFile.safeParse(jsonIn(text)).data;
  if (!settings) return false;
  const hooks = Object.keys(settings.hooks ?? {});
  return hooks.every((event) => TOOL_EVENTS.includes(event)) && Object.keys(settings.enabledPlugins ?? {}).length === 0;
}

const SettingsFile = z.object({ hooks: AnyObject.optional(), enabledPlugins: AnyObject.optional() });
const TOOL_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"];

function readAll(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
}

async function stampsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  return Promise.all(names.sort().map(async (name) => `${name} ${await stampOf(join(directory, name))}`));
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : "gone";
}

function withParents(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...withParents(parent)];
}
