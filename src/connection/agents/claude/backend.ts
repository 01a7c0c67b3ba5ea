import { Role } from "../../../model/roles.ts";
import { within } from "../../files.ts";
import type { AgentSetup, Backend } from "../backend.ts";
import type { ClaudeAgentOptions } from "./settings.ts";
import { claudeSettings, turnLimits } from "./settings.ts";

export const claudeBackend: Backend = {
  capabilities: {
    structured_answers: true,
    reports_cost: true,
    withholds_tools: true,
    fresh_context: true,
    roles: Role.options,
  },
  chosen_by: "name",
  async create(setup) {
    const { createClaudeAgent } = await import("./claude-agent.ts");
    return createClaudeAgent(optionsOf(setup));
  },
  async examine({ configuration, project, environment, roles }) {
    const { checkClaude } = await import("../../doctor/agents.ts");
    const { executable } = claudeSettings(configuration);
    return checkClaude({ project, environment, executable, isNeeded: roles.length > 0 });
  },
};

function optionsOf({ configuration, project, ...setup }: AgentSetup): ClaudeAgentOptions {
  const { working_directory, models, mcp_servers, skills_dir } = configuration;
  const settings = claudeSettings(configuration);
  const { allowed_tools, permission_mode, executable } = settings;
  return {
    ...setup,
    project,
    working_directory,
    models,
    allowed_tools,
    permission_mode,
    max_turns: turnLimits(settings),
    executable: executable && executablePath(project, executable),
    mcp_servers,
    skills_dir: skills_dir && within(project, skills_dir),
  };
}

/** A bare name is looked up on the PATH; anything with a slash is a path as seen from the project. */
function executablePath(project: string, executable: string): string {
  return executable.includes("/") ? within(project, executable) : executable;
}
