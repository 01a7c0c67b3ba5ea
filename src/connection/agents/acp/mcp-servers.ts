import type { InitializeResponse, McpServer } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { Environment } from "../../../model/environment.ts";
import { E8Error } from "../../../model/errors.ts";
import { message } from "../../../model/message.ts";
import { findProgram } from "../../processes/programs.ts";
import { selectMcpServers } from "../claude/startup-files.ts";
import type { AcpAgentOptions } from "./options.ts";

/** A server as Claude Code's files have it. */
const Definition = z.union([
  z.object({
    command: z.string(),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
  }),
  z.object({
    type: z.enum(["http", "sse"]),
    url: z.string(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
]);
type Definition = z.infer<typeof Definition>;

/** The servers that `mcp_servers` names, as the protocol has them. The agent may have further ones of its own. */
export async function serversFor(options: AcpAgentOptions, info: InitializeResponse | undefined): Promise<McpServer[]> {
  const names = Object.keys(options.mcp_servers);
  if (names.length === 0) return [];
  const { servers, missing } = await selectMcpServers(options);
  if (missing !== undefined)
    throw new E8Error("agent_configuration", { message: message("mcp_server_missing", { server: missing }) });
  return names.map((name) => serverOf(name, servers[name], { options, info }));
}

interface Handing {
  options: AcpAgentOptions;
  info: InitializeResponse | undefined;
}

function serverOf(name: string, definition: unknown, { options, info }: Handing): McpServer {
  const { environment, program } = options;
  const found = Definition.safeParse(filled(definition, environment)).data;
  if (!found) throw new E8Error("agent_configuration", { message: message("mcp_server_missing", { server: name }) });
  if ("command" in found) return programServer(name, found, environment);
  const { type, url, headers } = found;
  if (!info?.agentCapabilities?.mcpCapabilities?.[type]) {
    const problem = message("acp_server_unreachable", { title: program.title, server: name, type });
    throw new E8Error("agent_configuration", { message: problem });
  }
  return { type, name, url, headers: pairs(headers) };
}

function programServer(
  name: string,
  { command, args, env }: Extract<Definition, { command: string }>,
  environment: Environment,
): McpServer {
  return { name, command: findProgram(command, env.PATH ?? environment.PATH) ?? command, args, env: pairs(env) };
}

function pairs(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** Claude Code fills in `${NAME}` and `${NAME:-instead}` by itself; for other agents it is done here. */
function filled(definition: unknown, environment: Environment): unknown {
  const fill = (_: string, value: unknown) =>
    typeof value === "string"
      ? value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (whole, name: string, instead?: string) => {
          return environment[name] ?? instead ?? whole;
        })
      : value;
  return JSON.parse(JSON.stringify(definition ?? null), fill);
}
