import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import type { InitializeResponse } from "@agentclientprotocol/sdk";
import type { Environment } from "../../../model/environment.ts";
import { type Finding, type FindingState, finding } from "../../../model/findings.ts";
import { isRecord, jsonIn } from "../../../model/json.ts";
import { askProgram } from "../../doctor/programs.ts";
import { findProgram } from "../../processes/programs.ts";
import { thrownFailure } from "./failures.ts";
import type { Login } from "./known-agent.ts";
import { type FoundLogin, loginOf } from "./login.ts";
import { AcpProcess } from "./process.ts";
import type { AcpProgram } from "./program.ts";

/** On a busy machine some agents take seconds to start. */
const PATIENCE_MILLISECONDS = 30_000;

interface Examined {
  program: AcpProgram;
  environment: Environment;
  /** Whether a run would start it. */
  isNeeded: boolean;
}

/** Whether the agent is there, speaks the protocol, and is logged in. It is started and greeted, and asked nothing. */
export async function examineAgent({ program, environment, isNeeded }: Examined): Promise<Finding[]> {
  const { title, known } = program;
  const [name] = program.command;
  const path = findProgram(name, environment.PATH);
  const bad: FindingState = isNeeded ? "problem" : "warning";
  const missing = { title, program: name, install: known?.install ?? "" };
  if (!path) return [finding(["agents", isNeeded ? "problem" : "ok"], "acp_absent", missing)];
  try {
    const info = await greeted(program, environment);
    const version = info.agentInfo?.version ?? "";
    return [
      finding(["agents", "ok"], "acp_ok", { title, version, path }),
      await loginFinding(program, info, { environment: { ...environment, ...program.environment }, bad }),
    ];
  } catch (error) {
    const { message: problem } = thrownFailure(error, { stderr: "", exit: undefined }, program);
    return [finding(["agents", bad], "acp_broken", { title, path, problem })];
  }
}

async function greeted(program: AcpProgram, environment: Environment): Promise<InitializeResponse> {
  const working_directory = tmpdir();
  const start = { program, environment, working_directory, task_token: `examination ${randomUUID()}` };
  const agent = await AcpProcess.start(start, AbortSignal.timeout(PATIENCE_MILLISECONDS));
  const { info } = agent;
  await agent.end();
  return info as InitializeResponse; // a process that has started was greeted
}

interface Looking {
  environment: Environment;
  bad: FindingState;
}

async function loginFinding(
  program: AcpProgram,
  { authMethods = [] }: InitializeResponse,
  { environment, bad }: Looking,
): Promise<Finding> {
  const { title, known } = program;
  const ways = authMethods.map(({ name }) => name).join(", ");
  const login = known?.login.status
    ? await toldLogin(program, known.login, environment)
    : known && loginOf(known, environment);
  if (!login) return finding(["agents", "ok"], "acp_login_unknown", { title, ways });
  switch (login.is) {
    case "key":
      return finding(["agents", "ok"], "acp_key_untried", { title, source: login.variable });
    case "file":
      return finding(["agents", "ok"], "acp_login_found", { title, file: login.path });
    case "needless":
      return finding(["agents", "ok"], "acp_login_needless", { title, file: login.path });
    case "missing": {
      const { command, variables } = login;
      return finding(["agents", bad], "acp_login_missing", { title, command, variables });
    }
  }
}

/** What the program itself says of its login. Undefined where it does not say. */
async function toldLogin(
  { command: [name, ...args] }: AcpProgram,
  { status = [], command, variables }: Login,
  environment: Environment,
): Promise<FoundLogin | undefined> {
  const path = findProgram(name, environment.PATH) ?? name;
  const said = jsonIn((await askProgram(path, [...args, ...status], { environment })).stdout);
  if (!isRecord(said) || typeof said.loggedIn !== "boolean") return undefined;
  const { apiKeySource, apiProvider, authMethod } = said;
  if (!said.loggedIn) return { is: "missing", command, variables };
  if (typeof apiKeySource === "string") return { is: "key", variable: apiKeySource };
  return { is: "file", path: String(authMethod === "third_party" ? apiProvider : authMethod) };
}
