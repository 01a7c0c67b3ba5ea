import { capabilitiesOf } from "../connection/agents/registry.ts";
import type { Capabilities } from "../connection/ports/agent.ts";
import { spelledAgent } from "../model/agent-choice.ts";
import type { Configuration } from "../model/configuration.ts";
import { type Notice, notice } from "../model/notices.ts";
import { everyWorkerOf } from "../model/workers.ts";

/** What an agent can do or not do, by code. */
export type Ability = Exclude<keyof Capabilities, "roles" | "chooses_model"> | "all_roles";

/** What the agent of a run can do, and what it cannot. */
export interface Abilities {
  agent: string;
  can: Ability[];
  cannot: Ability[];
}

export function abilitiesOf({ agent }: Pick<Configuration, "agent">): Abilities {
  const { roles, chooses_model: _, ...capabilities } = capabilitiesOf(agent);
  const all: [Ability, boolean][] = [
    ...(Object.entries(capabilities) as [Ability, boolean][]),
    ["all_roles", roles.includes("judge")],
  ];
  const those = (wanted: boolean) => all.flatMap(([ability, has]) => (has === wanted ? [ability] : []));
  return { agent: spelledAgent(agent), can: those(true), cannot: those(false) };
}

/** Names the settings that the agent does not take, and those that one does not that may take its turn. */
export function ignoredSettings(configuration: Configuration): Notice[] {
  const { mcp_servers, skills_dir } = configuration;
  const agents = new Map(everyWorkerOf(configuration).map(({ agent }) => [spelledAgent(agent), agent]));
  return [...agents].flatMap(([name, agent]) => {
    const { takes_servers, takes_skills } = capabilitiesOf(agent);
    const keys = [
      ...(Object.keys(mcp_servers).length > 0 && !takes_servers ? ["mcp_servers"] : []),
      ...(skills_dir !== null && !takes_skills ? ["skills_dir"] : []),
    ];
    return keys.length > 0 ? [notice("agent_ignores", { agent: name, keys: keys.join(", ") })] : [];
  });
}
