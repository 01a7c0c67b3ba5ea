import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { type ClaudeAgentOptions, environmentOf } from "./configuration.ts";
import { AnyObject, readLoosely, userFiles } from "./user-files.ts";

export interface McpSelection {
  /** As Claude Code's own files define them; it fills in `${VAR}` itself. */
  servers: Record<string, unknown>;
  /** Servers of the repository that the user has not approved. */
  left_out: string[];
  /** A server that `mcp_servers` names and that is defined nowhere. */
  missing?: string;
}

/** What decides which servers there are. */
export type McpSources = Pick<ClaudeAgentOptions, "project" | "working_directory" | "environment" | "mcp_servers">;

/**
 * The servers the executor may use: the user's own, the repository's as far as the user approved them, and those of
 * `mcp_servers`.
 */
export async function selectMcpServers(sources: McpSources): Promise<McpSelection> {
  const state = await readLoosely(userFiles(environmentOf(sources)).state, StateFile);
  const own = projectKeys(sources).flatMap((key) => state?.projects?.[key] ?? []);
  const committed = merged(await Promise.all(directories(sources).map(readServers)));
  const isApproved = await approval(sources, own);
  const approved = Object.entries(committed).filter(([name]) => isApproved(name));
  const configured: Record<string, unknown> = {
    ...state?.mcpServers,
    ...Object.fromEntries(approved),
    ...merged(own.map((project) => project.mcpServers)),
  };
  const named = Object.entries(sources.mcp_servers);
  const missing = named.find(([name, server]) => server === true && !Object.hasOwn(configured, name))?.[0];
  const servers = {
    ...configured,
    ...Object.fromEntries(named.map(([name, server]) => [name, server === true ? configured[name] : server])),
  };
  const left_out = Object.keys(committed).filter((name) => !Object.hasOwn(servers, name));
  return { servers, left_out, ...(missing !== undefined && { missing }) };
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
  const theirs = await read([userFiles(environmentOf(sources)).settings, ...settings("settings.local.json")]);
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
