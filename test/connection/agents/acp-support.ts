import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createAcpAgent } from "../../../src/connection/agents/acp/acp-agent.ts";
import type { AcpAgentOptions } from "../../../src/connection/agents/acp/options.ts";
import type { AcpProgram } from "../../../src/connection/agents/acp/program.ts";
import type { Agent } from "../../../src/connection/ports/agent.ts";
import { processTable } from "../../../src/connection/processes/process-table.ts";
import { isRecord, jsonIn } from "../../../src/model/json.ts";
import { teller } from "../../../src/texts/tell.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

export const ACP_PROGRAM = fileURLToPath(new URL("../../support/programs/acp-agent.mjs", import.meta.url));

/** What `acp-agent.mjs` does. */
export type AcpScript = Readonly<Record<string, unknown>>;

/** One message that the agent was sent. */
export interface Sent {
  method?: string;
  params: Record<string, unknown>;
  result?: unknown;
  pid: number;
}

export interface AcpBox {
  project: string;
  task_token: string;
  /** The file with what the agent was sent. */
  diary: string;
  agent(options?: Partial<AcpAgentOptions>): Agent;
  /** What the agent was sent: all, or the parameters of one method. */
  sent(): Promise<Sent[]>;
  sentTo(method: string): Promise<Record<string, unknown>[]>;
  /** The texts of all prompts, the earliest first. */
  prompts(): Promise<string[]>;
  /** The processes of the task that are alive. */
  alive(): number[];
}

/** A project of its own, and an agent that follows a script. */
export async function acpBox(script: AcpScript = {}): Promise<AcpBox> {
  const directory = await temporaryDirectory();
  const project = await temporaryDirectory();
  const diary = join(directory, "diary");
  const task_token = `test ${directory}`;
  const sent = async (): Promise<Sent[]> => {
    const lines = existsSync(diary) ? (await readFile(diary, "utf8")).split("\n") : [];
    return lines.map(jsonIn).filter(isRecord) as unknown as Sent[];
  };
  const sentTo = async (method: string) =>
    (await sent()).filter((one) => one.method === method).map(({ params }) => params);
  return {
    project,
    task_token,
    diary,
    sent,
    sentTo,
    agent(options) {
      const program = acpProgram({ diary, ...script });
      const agent = createAcpAgent(acpOptions({ project, task_token, program }, options));
      onTestFinished(() => agent.close?.());
      return agent;
    },
    prompts: async () =>
      (await sentTo("session/prompt")).map(({ prompt }) =>
        (prompt as { text: string }[]).map(({ text }) => text).join(""),
      ),
    alive: () => [...processTable().carrying(`ENDLESS8_TASK=${task_token}`)],
  };
}

export function acpProgram(script: AcpScript, known?: AcpProgram["known"]): AcpProgram {
  const command = [process.execPath, ACP_PROGRAM, JSON.stringify(script)] as const;
  return { title: "the small agent", command, environment: {}, mode: undefined, known };
}

export function acpOptions(
  { project, task_token, program }: Pick<AcpAgentOptions, "project" | "task_token" | "program">,
  options: Partial<AcpAgentOptions> = {},
): AcpAgentOptions {
  const model = "default";
  return {
    project,
    program,
    working_directory: project,
    environment: process.env,
    models: { intake: model, executor: model, summarizer: model, judge: model, reviewer: model },
    allowed_tools: ["Read", "Edit", "Write", "Bash"],
    permission_mode: "dontAsk",
    mcp_servers: {},
    skills_dir: null,
    prices: {},
    has_cost_budget: false,
    timeout_seconds: 100,
    silence_seconds: 60,
    task_token,
    tell: teller("en"),
    ...options,
  };
}
