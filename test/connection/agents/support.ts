import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createClaudeAgent } from "../../../src/connection/agents/claude/claude-agent.ts";
import type { ClaudeAgentOptions } from "../../../src/connection/agents/claude/settings.ts";
import type { RecordedRequest } from "../../../src/connection/agents/scripted/model/recording.ts";
import { type ScriptedModel, startScriptedModel } from "../../../src/connection/agents/scripted/model/server.ts";
import type { Story } from "../../../src/connection/agents/scripted/model/story.ts";
import type { Agent } from "../../../src/connection/ports/agent.ts";
import type { AgentReply, Assignment } from "../../../src/model/agent.ts";
import type { AgentEvent } from "../../../src/model/events.ts";
import { teller } from "../../../src/texts/tell.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

export interface Heard {
  events: AgentEvent[];
  reply: AgentReply;
}

/** Lets an agent work to its end. */
export async function hear(agent: Agent, assignment: Assignment, signal: AbortSignal = never): Promise<Heard> {
  const events: AgentEvent[] = [];
  const work = agent.work(assignment, signal);
  for (;;) {
    const step = await work.next();
    if (step.done) return { events, reply: step.value };
    events.push(step.value);
  }
}

export const never = new AbortController().signal;

/** The events of one kind. */
export function only<T extends AgentEvent["type"]>(events: readonly AgentEvent[], type: T) {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

export function assign(given: Partial<Assignment> = {}): Assignment {
  const role = given.role ?? "executor";
  return {
    role,
    iteration: 1,
    prompt: "Do it.",
    system_prompt: `You are at work.\nendless8-role: ${role}`,
    schema: STATUS_SCHEMA,
    ...given,
  };
}

const STATUS_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { status: { type: "string" } },
  required: ["status"],
};

export interface ClaudeBox {
  home: string;
  project: string;
  environment: Record<string, string | undefined>;
  model: ScriptedModel;
  task_token: string;
  agent(options?: Partial<ClaudeAgentOptions>): Agent;
  /** Writes a file below the box: `project/…` or `home/…`. */
  write(path: string, content: string | object): Promise<string>;
  /** A project file's content; empty when there is none. */
  read(path: string): Promise<string>;
}

export const TURNS = { intake: 10, executor: 10, summarizer: 10, judge: 10, reviewer: 10 };
const MODEL = "claude-sonnet-5";

/** A project and a home of their own, and a scripted model: all that the real Claude Code needs. */
export async function claudeBox(story: Story): Promise<ClaudeBox> {
  const directory = await temporaryDirectory();
  const [home, project] = [join(directory, "home"), join(directory, "project")];
  await mkdir(join(home, "tmp"), { recursive: true });
  await mkdir(project);
  const model = await startScriptedModel(story);
  onTestFinished(() => model.close());
  const environment = environmentFor(home, model.url);
  const task_token = `test ${directory}`;
  return {
    home,
    project,
    environment,
    model,
    task_token,
    agent(options) {
      const agent = createClaudeAgent(claudeOptions({ project, environment, task_token }, options));
      onTestFinished(() => agent.close?.());
      return agent;
    },
    async write(path, content) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
    read: async (path) => (existsSync(join(project, path)) ? readFile(join(project, path), "utf8") : ""),
  };
}

export function claudeOptions(
  { project, environment, task_token }: Pick<ClaudeBox, "project" | "environment" | "task_token">,
  options: Partial<ClaudeAgentOptions> = {},
): ClaudeAgentOptions {
  return {
    project,
    working_directory: project,
    environment,
    models: { intake: MODEL, executor: MODEL, summarizer: MODEL, judge: MODEL, reviewer: MODEL },
    allowed_tools: [],
    permission_mode: "dontAsk",
    max_turns: TURNS,
    executable: null,
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

function environmentFor(home: string, url: string): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    HOME: home,
    TERM: "dumb",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_TMPDIR: join(home, "tmp"),
  };
}

/** Everything the model was sent in a request, as text. */
export function sent(request: RecordedRequest | undefined): string {
  return JSON.stringify(request?.body ?? {});
}

/** A skill's file. */
export function skill(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: Use for ${name}.\n---\n${body}\n`;
}

/** A stdio server that writes into `diary` what happens to it. */
export function mcpServer(diary: string) {
  const program = fileURLToPath(new URL("../../support/mcp-server.mjs", import.meta.url));
  return { type: "stdio" as const, command: process.execPath, args: [program, diary] };
}
