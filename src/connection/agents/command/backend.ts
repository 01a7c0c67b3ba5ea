import { argumentOf, type Backend } from "../backend.ts";

export const commandBackend: Backend = {
  capabilities: {
    structured_answers: false,
    reports_cost: false,
    withholds_tools: false,
    fresh_context: true,
    roles: ["executor"],
  },
  async create({ configuration, ...setup }) {
    const { createCommandAgent } = await import("./command-agent.ts");
    const { agent, working_directory, claude_options } = configuration;
    return createCommandAgent({
      ...setup,
      command: argumentOf(agent),
      working_directory,
      timeout_seconds: claude_options.timeout,
    });
  },
};
