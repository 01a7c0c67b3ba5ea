import { argumentOf, type Backend } from "../backend.ts";

export const commandBackend: Backend = {
  capabilities: {
    structured_answers: false,
    reports_tokens: false,
    reports_cost: false,
    tells_limits: false,
    chooses_model: false,
    withholds_tools: false,
    takes_servers: false,
    takes_skills: false,
    shows_calls: false,
    takes_permissions: false,
    limits_turns: false,
    takes_claude_setup: false,
    fresh_context: true,
    roles: ["executor"],
  },
  chosen_by: "argument",
  async create({ configuration, ...setup }) {
    const { createCommandAgent } = await import("./command-agent.ts");
    const { agent, working_directory } = configuration;
    return createCommandAgent({ ...setup, command: argumentOf(agent), working_directory });
  },
};
