import { resolve } from "node:path";
import { z } from "zod";
import { apiModelOf } from "../../model/api-model.ts";
import { type Configuration, modelsFor } from "../../model/configuration.ts";
import type { Environment } from "../../model/environment.ts";
import { type Finding, type FindingState, finding } from "../../model/findings.ts";
import { jsonIn } from "../../model/json.ts";
import { Role } from "../../model/roles.ts";
import { asTyped } from "../../model/shell-quotes.ts";
import { accessOf, missingVariable } from "../agents/api/access.ts";
import { missingPackage } from "../agents/api/packages.ts";
import { bundledClaude } from "../agents/claude/settings.ts";
import { type McpSources, selectMcpServers } from "../agents/claude/startup-files.ts";
import { findProgram } from "../processes/programs.ts";
import { askProgram, firstLine } from "./programs.ts";

export interface ClaudeOptions {
  project: string;
  environment: Environment;
  /** `claude_options.executable`. */
  executable: string | null;
  /** Whether a run would start Claude Code at all. */
  isNeeded: boolean;
}

/** Whether Claude Code is there, starts and is logged in. The program itself is asked; its credentials are never read. */
export async function checkClaude(options: ClaudeOptions): Promise<Finding[]> {
  const { executable, isNeeded } = options;
  const bad: FindingState = isNeeded ? "problem" : "warning";
  const path = executable === null ? bundledClaude() : chosenClaude(executable, options);
  if (!path) return [finding(["claude", bad], "claude_missing", { wanted: executable ?? BUNDLED })];
  const environment = quiet(options.environment);
  const answer = await askProgram(path, ["--version"], { environment });
  if (answer.exited !== "zero") return [finding(["claude", bad], "claude_broken", { path, problem: answer.problem })];
  const version = firstLine(answer.stdout).replace(/ \(Claude Code\)$/, "");
  return [finding(["claude", "ok"], "claude_ok", { version, path }), await checkLogin(path, options, bad)];
}

/** `claude auth status` makes no request and spends no token. */
async function checkLogin(path: string, options: ClaudeOptions, bad: FindingState): Promise<Finding> {
  const { project, environment } = options;
  const { stdout, problem } = await askProgram(path, ["auth", "status", "--json"], {
    environment: quiet(environment),
    cwd: project,
  });
  const status = Status.safeParse(jsonIn(stdout)).data;
  const program = toLogInWith(path, options);
  if (!status)
    return finding(["login", "warning"], "login_unknown", { problem: problem || firstLine(stdout), program });
  if (!status.loggedIn) return finding(["login", bad], "login_missing", { program });
  return wayIn(status);
}

/** Claude Code calls every key "logged in", without asking anybody whether it is valid. */
function wayIn({ authMethod = "?", apiProvider = "?", apiKeySource: source = authMethod }: Status): Finding {
  if (authMethod === "third_party") return finding(["login", "ok"], "provider_untried", { provider: apiProvider });
  const isKey = KEYS.includes(authMethod) && source !== KEY_OF_LOGIN;
  return isKey
    ? finding(["login", "ok"], "key_untried", { source })
    : finding(["login", "ok"], "login_ok", { method: source });
}

const KEYS = ["api_key", "api_key_helper", "oauth_token"];
const KEY_OF_LOGIN = "/login managed key";

const Status = z.object({
  loggedIn: z.boolean(),
  authMethod: z.string().optional().catch(undefined),
  apiProvider: z.string().optional().catch(undefined),
  apiKeySource: z.string().optional().catch(undefined),
});
type Status = z.infer<typeof Status>;

const BUNDLED = "the one that comes with endless8";

function chosenClaude(executable: string, { project, environment }: ClaudeOptions): string | undefined {
  return findProgram(executable.includes("/") ? resolve(project, executable) : executable, environment.PATH);
}

/** All installations of Claude Code share the user's login, and the bundled one is not on the PATH. */
function toLogInWith(path: string, { executable, environment }: ClaudeOptions): string {
  return executable === null && findProgram("claude", environment.PATH) ? "claude" : asTyped(path);
}

/** No telemetry for a question about this machine. */
function quiet(environment: Environment): Environment {
  return { ...environment, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
}

/** Whether the models that are asked over an API have their keys. No request is made; keys are never shown. */
export function checkKeys(configuration: Configuration, environment: Environment): Finding[] {
  const models = Role.options.flatMap((role) => modelsFor(role, configuration));
  return [...new Set(models)].flatMap((model) => {
    const api = apiModelOf(model);
    if (!api) return [];
    const name = missingPackage(api.provider);
    if (name) return [finding(["keys", "problem"], "package_missing", { model, package: name })];
    const variable = missingVariable(api, environment);
    if (variable) return [finding(["keys", "problem"], "api_key_missing", { model, variable })];
    const { source = "" } = accessOf(api, environment);
    return [finding(["keys", "ok"], "api_key_ok", { model, source })];
  });
}

/** Which servers an agent would get. None is started. */
export async function checkMcp(sources: McpSources & { environment: Environment }): Promise<Finding[]> {
  const { servers, left_out, missing } = await selectMcpServers(sources);
  if (missing !== undefined) return [finding(["mcp", "problem"], "mcp_undefined", { server: missing })];
  const names = Object.keys(servers).join(", ");
  return [
    names === "" ? finding(["mcp", "ok"], "mcp_none", {}) : finding(["mcp", "ok"], "mcp_ok", { servers: names }),
    ...Object.entries(servers).flatMap(([name, server]) => programMissing(name, server, sources.environment)),
    ...(left_out.length > 0 ? [finding(["mcp", "warning"], "mcp_left_out", { servers: left_out.join(", ") })] : []),
  ];
}

const WithProgram = z.object({ command: z.string(), env: z.object({ PATH: z.string() }).optional().catch(undefined) });

function programMissing(server: string, definition: unknown, environment: Environment): Finding[] {
  const { data } = WithProgram.safeParse(definition);
  // Claude Code itself replaces `${VAR}`; the result is not known here.
  if (!data || data.command.includes("$") || findProgram(data.command, data.env?.PATH ?? environment.PATH)) return [];
  return [finding(["mcp", "warning"], "mcp_program_missing", { server, program: data.command })];
}
