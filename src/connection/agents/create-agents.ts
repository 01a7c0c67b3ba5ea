import { apiModelOf } from "../../model/api-model.ts";
import type { Configuration } from "../../model/configuration.ts";
import type { Environment } from "../../model/environment.ts";
import { within } from "../files.ts";
import type { Agent, Expectation } from "../ports/agent.ts";
import type { Ports } from "../ports/run.ts";
import type { RawLog } from "../ports/task-store.ts";
import { createApiAgent } from "./api/api-agent.ts";
import { createClaudeAgent } from "./claude/claude-agent.ts";
import { createCommandAgent } from "./command-agent.ts";

export interface AgentCircumstances {
  configuration: Configuration;
  project: string;
  /** Marks the processes of the task. */
  token: string;
  rawLog: RawLog;
  environment: Environment;
}

/** Beside a program, which may be silent for hours, the roles may not: they only answer questions. */
const SECONDS_BESIDE_A_PROGRAM = 900;

/**
 * The agents that a configuration asks for. The roles around the executor are Claude Code's even when a program does the work,
 * but for those whose model is asked over an API.
 */
export function createAgents(circumstances: AgentCircumstances): Ports["agents"] {
  const { configuration, project, token, environment } = circumstances;
  const { claude_options, agent, working_directory } = configuration;
  const common = {
    working_directory,
    environment,
    timeout_seconds: claude_options.timeout,
    silence_seconds: configuration.silence_timeout,
    raw_log: rawLogOf(circumstances),
    task_token: token,
  };
  const roleSilence = silenceOfRoles(configuration);
  const claude = createClaudeAgent({
    ...common,
    silence_seconds: roleSilence,
    project,
    models: configuration.models,
    allowed_tools: claude_options.allowed_tools,
    permission_mode: claude_options.permission_mode,
    executable: claude_options.executable && executablePath(project, claude_options.executable),
    mcp_servers: configuration.mcp_servers,
    skills_dir: configuration.skills_dir && within(project, configuration.skills_dir),
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

/** Without `verbose`, only the result of every answer is kept. */
function rawLogOf({ configuration, rawLog }: AgentCircumstances): RawLog | undefined {
  if (!configuration.logging.raw_log) return undefined;
  if (configuration.claude_options.verbose) return rawLog;
  return async (iteration, role, line) => {
    if (line.includes('"type":"result"')) await rawLog(iteration, role, line);
  };
}

/** A bare name is looked up on the PATH; anything with a slash is a path as seen from the project. */
function executablePath(project: string, executable: string): string {
  return executable.includes("/") ? within(project, executable) : executable;
}
