import { z } from "zod";
import type { Environment } from "../../model/environment.ts";
import { type Finding, finding } from "../../model/findings.ts";
import { type McpSources, selectMcpServers } from "../agents/claude/startup-files.ts";
import { findProgram } from "../commands/programs.ts";

/** Which servers an agent would get. None is started: that is for a run to do. */
export async function checkMcp(sources: McpSources & { environment: Environment }): Promise<Finding[]> {
  const { servers, left_out, missing } = await selectMcpServers(sources);
  if (missing !== undefined) return [finding(["mcp", "problem"], "mcp_undefined", { server: missing })];
  const names = Object.keys(servers).join(", ");
  return [
    names === "" ? finding(["mcp", "ok"], "mcp_none", {}) : finding(["mcp", "ok"], "mcp_ok", { servers: names }),
    ...Object.entries(servers).flatMap(([name, server]) => programMissing(name, server, sources.environment)),
    ...(left_out.length > 0 ? [finding(["mcp", "warning"], "mcp_left_out", { servers: left_out.join(", ") })] : []),
  ];
}

const WithProgram = z.object({ command: z.string(), env: z.object({ PATH: z.string() }).optional().catch(undefined) });

function programMissing(server: string, definition: unknown, environment: Environment): Finding[] {
  const { data } = WithProgram.safeParse(definition);
  // Claude Code fills in `${VAR}` itself; what that gives is not known here.
  if (!data || data.command.includes("$") || findProgram(data.command, data.env?.PATH ?? environment.PATH)) return [];
  return [finding(["mcp", "warning"], "mcp_program_missing", { server, program: data.command })];
}
