import type { InitializeResponse, NewSessionRequest, NewSessionResponse } from "@agentclientprotocol/sdk";
import type { Expectation } from "../../ports/agent.ts";
import { AUTH_REQUIRED, isRequestError } from "./failures.ts";
import { keyMethod } from "./login.ts";
import { serversFor } from "./mcp-servers.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { AcpProcess } from "./process.ts";
import { chooseSettings } from "./session-settings.ts";

/** What an answer needs of its session. */
export interface SessionNeed {
  options: AcpAgentOptions;
  assignment: Expectation;
}

/** Opens a session in the mode and with the model that the answer needs. Resolves to its id. */
export async function openSession(agent: AcpProcess, need: SessionNeed): Promise<string> {
  const { options, assignment } = need;
  agent.sessions += 1;
  const isWork = assignment.role === "executor";
  const cwd = isWork ? options.working_directory : (assignment.reads ?? agent.empty_directory);
  const mcpServers = isWork ? await serversFor(options, agent.info) : [];
  const session = await newSession(agent, options, { cwd, mcpServers });
  await chooseSettings(agent, session, need);
  nameSession(agent, session, need);
  return session.sessionId;
}

/** An agent that needs a login first is logged in with the key that is set, where it offers that. */
async function newSession(
  agent: AcpProcess,
  { program, environment }: AcpAgentOptions,
  parameters: Pick<NewSessionRequest, "cwd" | "mcpServers">,
): Promise<NewSessionResponse> {
  const open = () => agent.request<NewSessionResponse>("session/new", parameters);
  return open().catch(async (error: unknown) => {
    const { known } = program;
    const needsLogin = isRequestError(error) && error.code === AUTH_REQUIRED;
    const offered = agent.info?.authMethods ?? [];
    const methodId = needsLogin && known && keyMethod(known, { ...environment, ...program.environment }, offered);
    if (!methodId) throw error;
    await agent.request("authenticate", { methodId });
    return open();
  });
}

/** Some versions of the agent cannot: then the session has another name, and nothing else is different. */
function nameSession(agent: AcpProcess, { sessionId }: NewSessionResponse, { options, assignment }: SessionNeed): void {
  const method = options.program.known?.names_sessions;
  if (method) agent.request(method, { sessionId, title: `endless8 ${assignment.role}` }).catch(() => {});
}

/** Frees what the agent keeps for a session: some have a process for each. Nobody waits for it. */
export function closeSession(agent: AcpProcess, sessionId: string): void {
  if (!agent.info?.agentCapabilities?.sessionCapabilities?.close) return;
  agent.request("session/close", { sessionId }).catch(() => {});
}

/** Workers with the same answer can use each other's session. */
export function kindOf({ options, assignment: { role, access, model } }: SessionNeed): string {
  return JSON.stringify([role, access, model ?? options.models[role]]);
}

/** Whether a session that is not needed after all leaves nothing that its user would see. */
export function forgetsUnasked({ agentInfo }: InitializeResponse): boolean {
  return FORGETFUL.has(agentInfo?.name ?? "");
}

/** By the names that they give themselves. Others list the session among those of the user from its first moment. */
const FORGETFUL = new Set(["@agentclientprotocol/codex-acp", "@agentclientprotocol/claude-agent-acp"]);
