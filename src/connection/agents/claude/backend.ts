import { Role } from "../../../model/roles.ts";
import type { Backend } from "../backend.ts";
import { claudeSettings, commonOptions } from "./settings.ts";

export const claudeBackend: Backend = {
  capabilities: {
    structured_answers: true,
    reports_tokens: true,
    reports_cost: true,
    tells_limits: true,
    chooses_model: false,
    withholds_tools: true,
    takes_servers: true,
    takes_skills: true,
    shows_calls: true,
    takes_permissions: true,
    limits_turns: true,
    takes_claude_setup: true,
    fresh_context: true,
    roles: Role.options,
  },
  chosen_by: "name",
  async create({ configuration, ...setup }) {
    const { createClaudeAgent } = await import("./claude-agent.ts");
    const { mcp_servers, skills_dir, prices, budget, pass_credentials } = configuration;
    const { executable } = claudeSettings(configuration);
    const own = { executable, mcp_servers, skills_dir, prices, pass_credentials };
    const has_cost_budget = budget.cost_usd !== null;
    return createClaudeAgent({ ...setup, ...commonOptions(configuration), ...own, has_cost_budget });
  },
  load() {
    // What cannot be loaded is told when it is needed.
    Promise.all([import("./claude-agent.ts"), import("./sdk.ts")]).catch(() => {});
  },
  async access(environment) {
    return (await import("./model-access.ts")).modelAccess(environment);
  },
  async examine({ configuration, project, environment, roles }) {
    const { checkClaude } = await import("../../doctor/agents.ts");
    const { executable } = claudeSettings(configuration);
    return checkClaude({ project, environment, executable, isNeeded: roles.length > 0 });
  },
};
