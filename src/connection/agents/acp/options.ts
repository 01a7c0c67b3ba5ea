import type { Configuration, McpServer } from "../../../model/configuration.ts";
import type { Role } from "../../../model/roles.ts";
import type { AgentSetup } from "../backend.ts";
import type { PermissionMode } from "../claude/settings.ts";
import type { AcpProgram } from "./program.ts";

/** What all answers of one task have in common. */
export interface AcpAgentOptions extends Omit<AgentSetup, "configuration"> {
  program: AcpProgram;
  working_directory: string;
  models: Readonly<Record<Role, string>>;
  /** Rules for tool calls, as Claude Code spells them. */
  allowed_tools: readonly string[];
  permission_mode: PermissionMode;
  mcp_servers: Readonly<Record<string, McpServer | true>>;
  skills_dir: string | null;
  prices: Configuration["prices"];
  /** Whether the run has a cost limit: the user then needs to know when the cost is unknown. */
  has_cost_budget: boolean;
}
