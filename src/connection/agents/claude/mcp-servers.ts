import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { WordedError } from "../../../model/statement.ts";
import { type ClaudeAgentOptions, environmentOf } from "./configuration.ts";
import { AnyObject, readLoosely, userFiles } from "./user-files.ts";

export interface McpSelection {
  /** As Claude Code's own files define them; it fills in `${VAR}` itself. */
  servers: Record<string, unknown>;
  /** Servers of the repository that the user has not approved. */
  left_out: string[];
}

/** What decides which servers there are. */
export type McpSources = Pick<ClaudeAgentOptions, "project" | "working_directory" | "environment" | "mcp_servers">;

/**
 * The servers the executor may use: the user's own, the repository's as far as the user approved them, and those of
 * `mcp_servers`. Throws when `mcp_servers` names one that is defined nowhere.
 */
export async function selectMcpServers(sources: McpSources): Promise<McpSelection> {
  const state = await readLoosely(userFiles(environmentOf(sources)).state, StateFile);
  const own = projectKeys(sources).flatMap((key) => state?.projects?.[key] ?? []);
  const committed = merged(await Promise.all(directories(sources).map(readServers)));
  const isApproved = await approval(sources, own);
  const approved = Object.entries(committed).filter(([name]) => isApproved(name));
  const configured = {
    ...state?.mcpServers,
    ...Object.fromEntries(approved),
    ...merged(own.map((project) => project.mcpServers)),
  };
  const servers = { ...configured, ...chosen(sources, configured) };
  return { servers, left_out: Object.keys(committed).filter((name) => !Object.hasOwn(servers, name)) };
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

export class UndefinedServer extends WordedError {
  readonly server: string;

  constructor(server: string) {
    super({
      en: `mcp_servers names ${server}, but no MCP server of that name is configured`,
      ja: `mcp_servers に ${server} がありますが、その名前の MCP サーバーは設定されていません`,
    });
    this.server = server;
  }
}

function chosen({ mcp_servers }: McpSources, configured: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(mcp_servers).map(([name, server]) => {
    if (server !== true) return [name, server];
    if (!Object.hasOwn(configured, name)) throw new UndefinedServer(name);
    return [name, configured[name]];
  });
  return Object.fromEntries(entries);
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
