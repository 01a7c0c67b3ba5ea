import { apiModelOf } from "../../model/api-model.ts";
import type { Configuration } from "../../model/configuration.ts";
import type { Environment } from "../../model/environment.ts";
import type { Notice } from "../../model/notices.ts";
import { within } from "../files.ts";
import type { Agent, Expectation } from "../ports/agent.ts";
import type { Ports } from "../ports/run.ts";
import { rawLogFiles } from "../stores/files/raw-log-files.ts";
import type { TaskDirectory } from "../stores/files/task-directory.ts";
import { rawLogDirectory } from "../stores/files/task-paths.ts";
import { createApiAgent } from "./api/api-agent.ts";
import { createClaudeAgent } from "./claude/claude-agent.ts";
import { createCommandAgent } from "./command-agent.ts";
import type { RawLog } from "./raw-log.ts";

export interface AgentCircumstances {
  configuration: Configuration;
  directory: TaskDirectory;
  environment: Environment;
  /** Takes what the user should know about the files that the agents write. */
  report: (notice: Notice) => void;
}

/** Beside a program, which may be silent for hours, the roles may not: they only answer questions. */
const SECONDS_BESIDE_A_PROGRAM = 900;

/**
 * The agents that a configuration asks for. The roles around the executor are Claude Code's even when a program does the work,
 * but for those whose model is asked over an API.
 */
export function createAgents(circumstances: AgentCircumstances): Ports["agents"] {
  const { configuration, directory, environment } = circumstances;
  const { claude_options, agent, working_directory } = configuration;
  const common = {
    working_directory,
    environment,
    timeout_seconds: claude_options.timeout,
    silence_seconds: configuration.silence_timeout,
    raw_log: rawLogOf(circumstances),
    task_token: directory.path,
  };
  const roleSilence = silenceOfRoles(configuration);
  const claude = createClaudeAgent({
    ...common,
    silence_seconds: roleSilence,
    project: directory.project,
    models: configuration.models,
    allowed_tools: claude_options.allowed_tools,
    permission_mode: claude_options.permission_mode,
    executable: claude_options.executable && executablePath(directory.project, claude_options.executable),
    mcp_servers: configuration.mcp_servers,
    skills_dir: configuration.skills_dir && within(directory.project, configuration.skills_dir),
  });
  const executor = agent === "claude" ? claude : createCommandAgent({ ...common, command: agent.command });
  const api = createApiAgent({
    ...common,
    silence_seconds: roleSilence,
    models: configuration.models,
    prices: configuration.prices,
    has_cost_budget: configuration.budget.cost_usd !== null,
  });
  return { executor, roles: byModel(configuration.models, { claude, api }) };
}

/** Seconds; null: for ever. */
export function silenceOfRoles({ agent, silence_timeout }: Configuration): number | null {
  return agent === "claude" ? silence_timeout : (silence_timeout ?? SECONDS_BESIDE_A_PROGRAM);
}

function byModel(models: Configuration["models"], { claude, api }: Record<"claude" | "api", Agent>): Agent {
  const agentOf = ({ role }: Expectation) => (apiModelOf(models[role]) ? api : claude);
  return {
    work: (assignment, signal) => agentOf(assignment).work(assignment, signal),
    prepare: (expected) => agentOf(expected).prepare?.(expected),
    close: async () => void (await Promise.all([claude.close?.(), api.close?.()])),
  };
}

function rawLogOf({ configuration, directory, report }: AgentCircumstances): RawLog | undefined {
  const { raw_log, raw_log_dir } = configuration.logging;
  if (!raw_log) return undefined;
  return rawLogFiles({
    directory: rawLogDirectory(directory, raw_log_dir),
    task: directory.path,
    every_message: configuration.claude_options.verbose,
    report,
  });
}

/** A bare name is looked up on the PATH; anything with a slash is a path as seen from the project. */
function executablePath(project: string, executable: string): string {
  return executable.includes("/") ? within(project, executable) : executable;
}
