import type { AgentChoice } from "../../../model/configuration.ts";
import type { Environment } from "../../../model/environment.ts";
import { Role } from "../../../model/roles.ts";
import type { Backend } from "../backend.ts";
import { commonOptions } from "../claude/settings.ts";
import type { KnownAgent } from "./known-agent.ts";
import { KNOWN_AGENTS, type KnownAgentName } from "./known-agents.ts";
import { AcpSettings, OwnAcpSettings, programOf, requireProgram, variablesOf } from "./program.ts";

/** Any agent that speaks the Agent Client Protocol: one that is known by name, or one whose command the user gives. */
export function acpBackend(name?: KnownAgentName): Backend {
  const known: KnownAgent | undefined = name && KNOWN_AGENTS[name];
  return {
    capabilities: {
      structured_answers: true, // asked for in words, and held against the schema by us
      reports_tokens: known?.reports_tokens ?? false,
      reports_cost: known?.reports_cost ?? false,
      tells_limits: known?.tells_limits ?? true,
      chooses_model: true,
      withholds_tools: false,
      takes_servers: true,
      takes_skills: true,
      shows_calls: true,
      takes_permissions: true,
      limits_turns: false,
      takes_claude_setup: known?.needs === "claude",
      fresh_context: true,
      roles: Role.options,
    },
    chosen_by: name ? { settings: AcpSettings, is_named: true } : { settings: OwnAcpSettings, is_named: false },
    async create({ configuration, ...setup }) {
      const { createAcpAgent } = await import("./acp-agent.ts");
      const { agent, mcp_servers, skills_dir, prices, budget } = configuration;
      const program = programOf(name, agent, setup.environment.PATH);
      const { max_turns: _, ...common } = commonOptions(configuration);
      const own = { program, mcp_servers, skills_dir, prices, has_cost_budget: budget.cost_usd !== null };
      return createAcpAgent({ ...setup, ...common, ...own });
    },
    load() {
      import("./acp-agent.ts").catch(() => {}); // what cannot be loaded is told when it is needed
    },
    ...(known && {
      async access(environment: Environment, choice: AgentChoice) {
        return (await import("./login.ts")).accessOf(known, { ...environment, ...variablesOf(choice) });
      },
    }),
    async examine({ configuration, environment, roles }) {
      const isNeeded = roles.length > 0;
      if (!isNeeded && !name) return [];
      const { examineAgent } = await import("./examine.ts");
      const program = programOf(name, isNeeded ? configuration.agent : (name ?? ""), environment.PATH);
      return examineAgent({ program, environment, isNeeded });
    },
    async verify({ configuration, environment }) {
      requireProgram(programOf(name, configuration.agent, environment.PATH), environment.PATH);
    },
  };
}

/** The backends of the agents that are known by name. */
export const knownBackends = Object.fromEntries(
  Object.keys(KNOWN_AGENTS).map((name) => [name, acpBackend(name as KnownAgentName)]),
) as Record<KnownAgentName, Backend>;
