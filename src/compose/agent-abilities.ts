import { claudeSettings, DEFAULT_CLAUDE_SETTINGS } from "../connection/agents/claude/settings.ts";
import { capabilitiesOf, isOpenedInStrict } from "../connection/agents/registry.ts";
import type { Capabilities } from "../connection/ports/agent.ts";
import type { Ability } from "../model/abilities.ts";
import { spelledAgent } from "../model/agent-choice.ts";
import type { AgentChoice, Configuration } from "../model/configuration.ts";
import { type Notice, notice } from "../model/notices.ts";
import { everyWorkerOf } from "../model/workers.ts";
import { shortened, spendingNotices } from "./spending.ts";

/** What an agent can do, and what it cannot. */
export interface Abilities {
  agent: string;
  can: Ability[];
  cannot: Ability[];
}

/** Of each of those that may work, the first one first; `steps` are the agents that steps of a flow name. */
export function abilitiesOf(configuration: Configuration, steps: readonly AgentChoice[] = []): Abilities[] {
  return agentsOf(configuration, steps).map(({ name, agent }) => {
    const { roles, chooses_model: _, ...capabilities } = capabilitiesOf(agent);
    const all: [Ability, boolean][] = [
      ...(Object.entries(capabilities) as [Ability, boolean][]),
      ["priced_by_tokens", capabilities.reports_tokens],
      ["all_roles", roles.includes("judge")],
      ...BY_ENDLESS8.map((ability): [Ability, boolean] => [ability, true]),
      ...(configuration.sandbox === "strict"
        ? [["opened_in_strict", isOpenedInStrict(agent)] as [Ability, boolean]]
        : []),
    ];
    const those = (wanted: boolean) => all.flatMap(([ability, has]) => (has === wanted ? [ability] : []));
    return { agent: name, can: those(true), cannot: those(false) };
  });
}

/** What endless8 sees to, whatever the agent. */
const BY_ENDLESS8: readonly Ability[] = ["changes_seen", "ends_in_time", "ends_whole", "raw_log", "in_sandbox"];

/** One that comes with several models is one agent. */
function agentsOf(configuration: Configuration, steps: readonly AgentChoice[]): { name: string; agent: AgentChoice }[] {
  const all = [...everyWorkerOf(configuration).map(({ agent }) => agent), ...steps];
  const agents = new Map(all.map((agent) => [spelledAgent(agent), agent]));
  return [...agents].map(([name, agent]) => ({ name, agent }));
}

/**
 * Names what is not as with Claude Code, for each of those that may work. A plain program is only what its user made it. Settings that have
 * no effect are named where they are set, and what an agent does not do by itself, but endless8 does, is no loss.
 */
export function lackedAbilities(configuration: Configuration, steps: readonly AgentChoice[] = []): Notice[] {
  return abilitiesOf(configuration, steps).flatMap(({ agent, cannot }) => {
    const abilities = cannot.filter((ability) => FELT.has(ability));
    return abilities.length > 0 && !cannot.includes("all_roles") ? [notice("agent_lacks", { agent, abilities })] : [];
  });
}

const FELT: ReadonlySet<Ability> = new Set([
  "reports_tokens",
  "reports_cost",
  "tells_limits",
  "withholds_tools",
  "takes_claude_setup",
]);

/** What a user should know before the run about what the settings ask of those that may work: told at the start, and shown before it. */
export function settingNotices(configuration: Configuration, steps: readonly AgentChoice[] = []): Notice[] {
  return [
    ...spendingNotices(configuration, steps),
    ...ignoredSettings(configuration, steps),
    ...closedIn(configuration, steps),
  ];
}

/** Names the agents, plain programs too, for which a strict sandbox is not opened. */
function closedIn(configuration: Configuration, steps: readonly AgentChoice[]): Notice[] {
  if (configuration.sandbox !== "strict") return [];
  return agentsOf(configuration, steps).flatMap(({ name, agent }) =>
    isOpenedInStrict(agent) ? [] : [notice("agent_closed_in", { agent: shortened(name) })],
  );
}

/** Names the settings that the agent does not take, and those that one does not that may take its turn. */
export function ignoredSettings(configuration: Configuration, steps: readonly AgentChoice[] = []): Notice[] {
  const given = givenSettings(configuration);
  return agentsOf(configuration, steps).flatMap(({ name, agent }) => {
    const capabilities = capabilitiesOf(agent);
    const keys = given.flatMap(([key, capability]) => (capabilities[capability] ? [] : [key]));
    return keys.length > 0 ? [notice("agent_ignores", { agent: name, keys: keys.join(", ") })] : [];
  });
}

/** The settings of which not every agent makes use, each with what it must be able to do. */
function givenSettings(configuration: Configuration): [string, keyof Capabilities][] {
  const { mcp_servers, skills_dir } = configuration;
  const options = claudeSettings(configuration);
  const isSet = (key: keyof typeof options) =>
    JSON.stringify(options[key]) !== JSON.stringify(DEFAULT_CLAUDE_SETTINGS[key]);
  const all: [string, keyof Capabilities, boolean][] = [
    ["mcp_servers", "takes_servers", Object.keys(mcp_servers).length > 0],
    ["skills_dir", "takes_skills", skills_dir !== null],
    ["claude_options.allowed_tools", "takes_permissions", isSet("allowed_tools")],
    ["claude_options.permission_mode", "takes_permissions", isSet("permission_mode")],
    ["claude_options.max_turns", "limits_turns", isSet("max_turns")],
  ];
  return all.flatMap(([key, capability, isGiven]) => (isGiven ? [[key, capability]] : []));
}
