import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { Environment } from "../../../model/environment.ts";
import { jsonIn } from "../../../model/json.ts";
import type { Role } from "../../../model/roles.ts";
import type { ClaudeAgentOptions } from "./settings.ts";

/** Where Claude Code keeps the user's own files. */
export function userFiles(environment: Environment): { state: string; settings: string } {
  const home = environment.HOME ?? homedir();
  const directory = environment.CLAUDE_CONFIG_DIR;
  return {
    state: join(directory || home, ".claude.json"),
    settings: join(directory || join(home, ".claude"), "settings.json"),
  };
}

/** Reads another program's JSON file. What is missing, broken or of another shape is as good as empty. */
export async function readLoosely<S extends z.ZodType>(file: string, schema: S): Promise<z.output<S> | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

export const AnyObject = z.record(z.string(), z.unknown());

interface McpSelection {
  /** As Claude Code's own files define them; it fills in `${VAR}` itself. */
  servers: Record<string, unknown>;
  /** Servers of the repository that the user has not approved. */
  left_out: string[];
  /** A server that `mcp_servers` names and that is defined nowhere. */
  missing?: string;
}

/** What decides which servers there are. */
export type McpSources = Pick<
  ClaudeAgentOptions,
  "project" | "working_directory" | "environment" | "mcp_servers" | "withheld"
>;

/**
 * The servers the executor may use: the user's own, the repository's as far as the user approved them, and those of
 * `mcp_servers`.
 */
export async function selectMcpServers(sources: McpSources): Promise<McpSelection> {
  const state = await readLoosely(userFiles(sources.environment).state, StateFile);
  const own = projectKeys(sources).flatMap((key) => state?.projects?.[key] ?? []);
  const committed = merged(await Promise.all(directories(sources).map(readServers)));
  const isApproved = await approval(sources, own);
  const approved = Object.entries(committed).filter(([name]) => isApproved(name));
  const filled = (servers: unknown) => withCredentials(servers, sources.withheld ?? {});
  const configured: Record<string, unknown> = {
    ...filled(state?.mcpServers),
    ...Object.fromEntries(approved),
    ...filled(merged(own.map((project) => project.mcpServers))),
  };
  const named = Object.entries(filled(sources.mcp_servers));
  const missing = named.find(([name, server]) => server === true && !Object.hasOwn(configured, name))?.[0];
  const servers = {
    ...configured,
    ...Object.fromEntries(named.map(([name, server]) => [name, server === true ? configured[name] : server])),
  };
  const left_out = Object.keys(committed).filter((name) => !Object.hasOwn(servers, name));
  return { servers, left_out, ...(missing !== undefined && { missing }) };
}

/**
 * Fills in `${NAME}` where the environment lacks that variable. Only for servers that the user has configured: a worker may write the
 * repository's own file.
 */
function withCredentials(servers: unknown, withheld: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = (_: string, value: unknown) =>
    typeof value === "string"
      ? value.replace(/\$\{(\w+)(?::-[^}]*)?\}/g, (whole, name: string) => withheld[name] ?? whole)
      : value;
  return JSON.parse(JSON.stringify(servers ?? {}), filled);
}

const Servers = z.record(z.string(), AnyObject).optional().catch(undefined);
const Names = z.array(z.string()).optional().catch(undefined);

/** Claude Code writes approvals into settings files, and older versions into its state file. */
const Approvals = z.object({
  enableAllProjectMcpServers: z.boolean().optional().catch(undefined),
  enabledMcpjsonServers: Names,
  disabledMcpjsonServers: Names,
});
type Approvals = z.infer<typeof Approvals>;

const StateProject = Approvals.extend({ mcpServers: Servers });
const StateFile = z.object({
  mcpServers: Servers,
  projects: z.record(z.string(), StateProject).optional().catch(undefined),
});

/** The user's word only: a repository must not approve its own servers. It may forbid them. */
async function approval(sources: McpSources, own: readonly Approvals[]): Promise<(name: string) => boolean> {
  const settings = (name: string) => directories(sources).map((directory) => join(directory, ".claude", name));
  const read = (files: string[]) => Promise.all(files.map((file) => readLoosely(file, Approvals)));
  const theirs = await read([userFiles(sources.environment).settings, ...settings("settings.local.json")]);
  const said = [...theirs, ...own].flatMap((approvals) => approvals ?? []);
  const forbidden = [...said, ...(await read(settings("settings.json")))].flatMap(
    (approvals) => approvals?.disabledMcpjsonServers ?? [],
  );
  const all = said.some((approvals) => approvals.enableAllProjectMcpServers);
  const named = said.flatMap((approvals) => approvals.enabledMcpjsonServers ?? []);
  return (name) =>
    Object.hasOwn(sources.mcp_servers, name) || ((all || named.includes(name)) && !forbidden.includes(name));
}

async function readServers(directory: string): Promise<Record<string, unknown> | undefined> {
  return (await readLoosely(join(directory, ".mcp.json"), z.object({ mcpServers: Servers })))?.mcpServers;
}

function merged(parts: readonly (Record<string, unknown> | undefined)[]): Record<string, unknown> {
  return Object.assign({}, ...parts);
}

/** From the project down to the working directory: what lies nearer to the work comes later and wins. */
function directories({ project, working_directory }: McpSources): string[] {
  const inside = relative(project, working_directory);
  if (inside === "") return [project];
  if (inside.startsWith("..")) return [working_directory];
  const steps = inside.split("/");
  return [project, ...steps.map((_, index) => join(project, ...steps.slice(0, index + 1)))];
}

/** Claude Code files what belongs to a project under its repository's root, or under the directory without one. */
function projectKeys(sources: McpSources): string[] {
  return [...new Set([repositoryRoot(sources.working_directory), ...directories(sources)])].flatMap((key) => key ?? []);
}

function repositoryRoot(directory: string): string | undefined {
  if (existsSync(join(directory, ".git"))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : repositoryRoot(parent);
}

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
  const { settings: userSettings } = userFiles(options.environment);
  const managed = MANAGED_DIRECTORIES.map((directory) => join(directory, "managed-settings.json"));
  if (role !== "executor")
    return { fingerprint: JSON.stringify(await readAll([userSettings, ...managed])), isQuiet: true };
  const homes = settingsHomes(options.environment, options.working_directory);
  const settings = settingsFiles(options.environment, options.working_directory);
  const [texts, stamps, mcp] = await Promise.all([
    readAll([...settings, ...managed]),
    Promise.all(homes.flatMap((home) => READ_ONCE.map((name) => stampsIn(join(home, name))))),
    selectMcpServers(options),
  ]);
  const isQuiet = Object.keys(mcp.servers).length === 0 && texts.every(isQuietText);
  return { fingerprint: JSON.stringify([texts, stamps, mcp]), isQuiet };
}

/** The settings of the user, and of every directory down to the working directory. */
export function settingsFiles(environment: Environment, directory: string): string[] {
  return settingsHomes(environment, directory).flatMap((home) =>
    ["settings.json", "settings.local.json"].map((name) => join(home, name)),
  );
}

function settingsHomes(environment: Environment, directory: string): string[] {
  return [dirname(userFiles(environment).settings), ...withParents(directory).map((one) => join(one, ".claude"))];
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
