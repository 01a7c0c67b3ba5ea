import { Role } from "../../../model/roles.ts";
import { within } from "../../files.ts";
import type { AgentSetup, Backend } from "../backend.ts";
import type { ClaudeAgentOptions } from "./configuration.ts";

export const claudeBackend: Backend = {
  capabilities: {
    structured_answers: true,
    reports_cost: true,
    withholds_tools: true,
    fresh_context: true,
    roles: Role.options,
  },
  async create(setup) {
    const { createClaudeAgent } = await import("./claude-agent.ts");
    return createClaudeAgent(optionsOf(setup));
  },
  async examine({ configuration, project, environment, roles }) {
    const { checkClaude } = await import("../../doctor/claude.ts");
    const { executable } = configuration.claude_options;
    return checkClaude({ project, environment, executable, isNeeded: roles.length > 0 });
  },
};

function optionsOf({ configuration, project, ...setup }: AgentSetup): ClaudeAgentOptions {
  const { claude_options, working_directory, models, mcp_servers, skills_dir } = configuration;
  const { allowed_tools, permission_mode, executable, timeout } = claude_options;
  return {
    ...setup,
    project,
    working_directory,
    timeout_seconds: timeout,
    models,
    allowed_tools,
    permission_mode,
    executable: executable && executablePath(project, executable),
    mcp_servers,
    skills_dir: skills_dir && within(project, skills_dir),
  };
}

/** A bare name is looked up on the PATH; anything with a slash is a path as seen from the project. */
function executablePath(project: string, executable: string): string {
  return executable.includes("/") ? within(project, executable) : executable;
}
