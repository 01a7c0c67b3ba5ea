import type { AgentSettings } from "../configuration/task/agent-settings.ts";
import { ClaudeOptions, DEFAULT_CLAUDE_SETTINGS, FLOW_ACCESS } from "../connection/agents/claude/settings.ts";
import { agentChoice, capabilitiesOf, DEFAULT_CHOICE } from "../connection/agents/registry.ts";

/** How the backends read their settings. */
export const agentSettings: AgentSettings = {
  choice: agentChoice,
  default_choice: DEFAULT_CHOICE,
  options: ClaudeOptions,
  default_options: DEFAULT_CLAUDE_SETTINGS,
  answersRoles: (choice) => capabilitiesOf(choice).roles.includes("judge"),
  choosesModel: (choice) => capabilitiesOf(choice).chooses_model,
  capabilities: capabilitiesOf,
  flow_access: FLOW_ACCESS,
};
