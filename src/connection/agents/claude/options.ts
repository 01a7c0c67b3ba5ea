import { resolve } from "node:path";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import type { Environment } from "../../../model/environment.ts";
import { E8Error } from "../../../model/errors.ts";
import { message } from "../../../model/message.ts";
import type { Expectation } from "../../ports/agent.ts";
import { workEnvironment } from "../../processes/environment.ts";
import { findProgram } from "../../processes/programs.ts";
import { withoutDialect } from "../find-json.ts";
import type { PrivateDirectory } from "./private-directory.ts";
import { READING_TOOLS } from "./reading.ts";
import { type ClaudeAgentOptions, PermissionMode } from "./settings.ts";
import { AnyObject, readLoosely, selectMcpServers, settingsFiles, userFiles } from "./startup-files.ts";
import { allowedRules, belowRule, deniedRules, readableRules, recordsReadRule, serverRule } from "./tools.ts";

/** What Claude Code is started with, and the repository's MCP servers that are not. Throws an E8Error when a file or program of the settings is missing. */
export async function prepareOptions(
  options: ClaudeAgentOptions,
  assignment: Expectation,
  directory: PrivateDirectory,
): Promise<{ sdk: Options; left_out: string[] }> {
  const executable = executableOf(options);
  const common: Options = {
    cwd: assignment.reads ?? options.working_directory,
    env: childEnvironment(options, assignment, directory),
    model: assignment.model ?? options.models[assignment.role],
    maxTurns: options.max_turns[assignment.role],
    persistSession: false,
    // Without these a long answer looks like silence, and its tokens are known only afterwards.
    includePartialMessages: true,
    // A headless Claude Code would start a repository's servers unasked.
    strictMcpConfig: true,
    ...(assignment.schema && { outputFormat: { type: "json_schema", schema: withoutDialect(assignment.schema) } }),
    ...(assignment.max_cost_usd !== undefined && { maxBudgetUsd: assignment.max_cost_usd }),
    ...(executable && { pathToClaudeCodeExecutable: executable }),
  };
  if (assignment.role !== "executor")
    return { sdk: { ...common, ...(await roleOptions(options, assignment, directory)) }, left_out: [] };
  const { servers, left_out, missing } = await selectMcpServers(options);
  if (missing !== undefined)
    throw new E8Error("agent_configuration", { message: message("mcp_server_missing", { server: missing }) });
  const executor = await executorOptions(forThisAnswer(options, assignment), directory, servers);
  return { sdk: { ...common, ...executor, systemPrompt: appended(assignment.system_prompt) }, left_out };
}

/** Throws for an unknown permission mode. The definition was checked, so only a task of another version has one. */
function forThisAnswer(options: ClaudeAgentOptions, { access }: Expectation): ClaudeAgentOptions {
  return access === undefined ? options : { ...options, permission_mode: PermissionMode.parse(access) };
}

/** The user's Claude Code with its tools, settings, servers and skills. */
async function executorOptions(
  options: ClaudeAgentOptions,
  directory: PrivateDirectory,
  servers: Record<string, unknown>,
): Promise<Options> {
  const { allowed_tools, mcp_servers, permission_mode, project, skills_dir, working_directory, checkout } = options;
  const names = Object.keys(servers);
  const skills = skills_dir === null ? undefined : resolve(project, skills_dir);
  const beside = skills !== undefined && skills !== resolve(working_directory, ".claude/skills");
  return {
    allowedTools: [
      ...allowedRules([...allowed_tools, ...Object.keys(mcp_servers).map(serverRule)], names),
      ...readableRules(project),
    ],
    disallowedTools: [
      ...deniedRules(project, allowed_tools),
      ...(checkout && !working_directory.startsWith(`${checkout}/`) ? [belowRule("Edit", checkout)] : []),
    ],
    permissionMode: permission_mode,
    settingSources: ["user", "project", "local"],
    ...(await withoutCredentials(options, directory)),
    ...(permission_mode === "bypassPermissions" && { allowDangerouslySkipPermissions: true }),
    ...(names.length > 0 && {
      extraArgs: { "mcp-config": await directory.write("mcp.json", { mcpServers: servers }) },
    }),
    ...(beside && {
      plugins: [{ type: "local", path: await directory.pluginFor(skills), skipMcpDiscovery: true }],
    }),
  };
}

/** Settings files may give Claude Code variables, which its commands inherit. Settings of the command line come last. */
async function withoutCredentials(options: ClaudeAgentOptions, directory: PrivateDirectory): Promise<Options> {
  const files = settingsFiles(options.environment, options.working_directory);
  const read = await Promise.all(files.map((file) => readLoosely(file, EnvironmentSettings)));
  const given: Environment = Object.assign({}, ...read.map((settings) => settings?.env));
  const { withheld } = workEnvironment(given, options.pass_credentials ?? []);
  const names = Object.keys(withheld);
  if (names.length === 0) return {};
  const env = Object.fromEntries(names.map((name) => [name, ""]));
  return { settings: await directory.write("settings.json", { env }) };
}

const EnvironmentSettings = z.object({ env: z.record(z.string(), z.string()).optional().catch(undefined) });

/** A model and a prompt only: no servers, no instructions of the user or the project, and no tools but those that read. */
async function roleOptions(
  options: ClaudeAgentOptions,
  assignment: Expectation,
  directory: PrivateDirectory,
): Promise<Options> {
  const settings = await readLoosely(userFiles(options.environment).settings, AnyObject);
  const access = Object.entries(settings ?? {}).filter(([key]) => ACCESS_SETTINGS.includes(key));
  return {
    systemPrompt: assignment.system_prompt,
    ...(assignment.reads === undefined ? { tools: [] } : readingOptions(assignment.reads)),
    permissionMode: "dontAsk",
    settingSources: [],
    ...(access.length > 0 && { settings: await directory.write("settings.json", Object.fromEntries(access)) }),
  };
}

/** Besides these rules a hook looks at every call, because a link may lead out of the directory. */
function readingOptions(directory: string): Options {
  return {
    tools: READING_TOOLS,
    allowedTools: [...READING_TOOLS.map((tool) => belowRule(tool, directory))],
    disallowedTools: [recordsReadRule(directory)],
  };
}

/** The user settings that some users need to reach their model. */
const ACCESS_SETTINGS = ["apiKeyHelper", "env", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh"];

function appended(system_prompt: string): NonNullable<Options["systemPrompt"]> {
  return { type: "preset", preset: "claude_code", ...(system_prompt !== "" && { append: system_prompt }) };
}

function childEnvironment(
  options: ClaudeAgentOptions,
  { role }: Expectation,
  { temporary }: PrivateDirectory,
): Environment {
  return {
    // Claude Code's own memory would carry one iteration's context into the next.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    // Despite its name, this also turns off the request for a session's title, which goes to the main model and is counted.
    CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1",
    // Our loop waits and asks again; an executor's retries keep the work it has done so far.
    ...(role !== "executor" && { CLAUDE_CODE_MAX_RETRIES: "2" }),
    ...options.environment,
    CLAUDE_CODE_TMPDIR: temporary,
  };
}

function executableOf(options: ClaudeAgentOptions): string | undefined {
  const { executable, project, environment } = options;
  if (executable === null) return undefined;
  const wanted = executable.includes("/") ? resolve(project, executable) : executable;
  const found = findProgram(wanted, environment.PATH);
  if (!found)
    throw new E8Error("agent_configuration", { message: message("executable_missing", { executable: wanted }) });
  return found;
}
