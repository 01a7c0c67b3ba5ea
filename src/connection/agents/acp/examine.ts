import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import type { InitializeResponse } from "@agentclientprotocol/sdk";
import type { Environment } from "../../../model/environment.ts";
import { type Finding, type FindingState, finding } from "../../../model/findings.ts";
import { findProgram } from "../../processes/programs.ts";
import { thrownFailure } from "./failures.ts";
import { loginOf } from "./login.ts";
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
      loginFinding(program, info, { environment: { ...environment, ...program.environment }, bad }),
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

function loginFinding(
  { title, known }: AcpProgram,
  { authMethods = [] }: InitializeResponse,
  { environment, bad }: { environment: Environment; bad: FindingState },
): Finding {
  const ways = authMethods.map(({ name }) => name).join(", ");
  if (!known) return finding(["agents", "ok"], "acp_login_unknown", { title, ways });
  const login = loginOf(known, environment);
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
