import { z } from "zod";
import { Criterion, CriterionInput } from "./criterion.ts";

const text = z.string().trim().min(1);
const maxTurns = z.int().min(1).max(200);

export const PermissionMode = z.enum(["default", "acceptEdits", "dontAsk", "plan", "bypassPermissions"]);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** A program that speaks MCP over stdio, or a server behind a URL: what Claude Code's own files hold. */
export const McpServer = z.union([
  z.strictObject({
    type: z.literal("stdio").optional(),
    command: text,
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ type: z.enum(["http", "sse"]), url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
]);
export type McpServer = z.infer<typeof McpServer>;

/** Names of servers configured elsewhere, or servers defined on the spot. */
export const McpServers = z.union([z.array(text), z.record(text, z.union([McpServer, z.literal(true)]))]);
export type McpServers = z.infer<typeof McpServers>;

const ClaudeOptions = z.strictObject({
  allowed_tools: z.array(text).optional(),
  model: text.optional(),
  output_format: z.literal("stream-json", "only stream-json can be read").optional(),
  verbose: z.boolean().optional(),
  timeout: z.number().min(30).max(3600).optional(),
  max_turns: z
    .strictObject({
      intake: maxTurns.optional(),
      execution: maxTurns.optional(),
      summary: maxTurns.optional(),
      judgment: maxTurns.optional(),
    })
    .optional(),
  executable: text.optional(),
  permission_mode: PermissionMode.optional(),
});

/** The agent that works: Claude Code unless a command is named. */
const AgentChoice = z.union([z.literal("claude"), z.strictObject({ command: text })]);

const settings = {
  max_iterations: z.int().min(1).max(100).optional(),
  history_context_size: z.int().min(1).max(20).optional(),
  knowledge_context_size: z.int().min(1).max(50).optional(),
  raw_output_context: z.int().min(0).max(1).optional(),
  command_timeout: z.number().positive().optional(),
  silence_timeout: z.number().min(1).optional(),
  stall_limit: z.int().min(2).optional(),
  persist: text.nullable().optional(),
  knowledge: text.nullable().optional(),
  working_directory: text.optional(),
  agent: AgentChoice.optional(),
  agent_model: text.optional(),
  models: z
    .strictObject({
      intake: text.optional(),
      executor: text.optional(),
      summarizer: text.optional(),
      judge: text.optional(),
    })
    .optional(),
  budget: z
    .strictObject({
      cost_usd: z.number().positive().optional(),
      tokens: z.int().positive().optional(),
      minutes: z.number().positive().optional(),
    })
    .optional(),
  logging: z.strictObject({ raw_log: z.boolean().optional(), raw_log_dir: text.optional() }).optional(),
  claude_options: ClaudeOptions.optional(),
  prompts: z
    .strictObject({ judgment: text.nullable().optional(), append_system_prompt: text.nullable().optional() })
    .optional(),
  mcp_servers: McpServers.optional(),
  skills_dir: text.optional(),
  intake: z.boolean().optional(),
};

/** Everything that can be set but the task itself: endless8.yaml, flags, environment. */
export const Settings = z.strictObject(settings);
export type Settings = z.infer<typeof Settings>;

/** task.yaml. */
export const TaskFile = z.strictObject({
  task: text.optional(),
  criteria: z.union([z.array(CriterionInput), CriterionInput.transform((one) => [one])]).optional(),
  ...settings,
});
export type TaskFile = z.infer<typeof TaskFile>;

/** Every value a run needs, resolved and complete: what task.json keeps. */
export const Configuration = z.object({
  task: text,
  criteria: z.array(Criterion).min(1),
  max_iterations: z.int().min(1).max(100),
  history_context_size: z.int().min(1).max(20),
  knowledge_context_size: z.int().min(1).max(50),
  raw_output_context: z.int().min(0).max(1),
  command_timeout: z.number().positive(),
  /** Seconds without a sign of life after which an agent is ended; null: never. */
  silence_timeout: z.number().nullable(),
  stall_limit: z.int().min(2).nullable(),
  persist: z.string().nullable(),
  knowledge: z.string().nullable(),
  working_directory: z.string(),
  agent: AgentChoice,
  models: z.object({
    intake: z.string(),
    executor: z.string(),
    /** `none`: the summary is made mechanically. */
    summarizer: z.string(),
    judge: z.string(),
  }),
  budget: z.object({
    cost_usd: z.number().nullable(),
    tokens: z.number().nullable(),
    minutes: z.number().nullable(),
  }),
  logging: z.object({ raw_log: z.boolean(), raw_log_dir: z.string().nullable() }),
  claude_options: z.object({
    allowed_tools: z.array(z.string()),
    output_format: z.literal("stream-json"),
    verbose: z.boolean(),
    timeout: z.number().nullable(),
    max_turns: z.object({ intake: maxTurns, execution: maxTurns, summary: maxTurns, judgment: maxTurns }),
    executable: z.string().nullable(),
    permission_mode: PermissionMode,
  }),
  prompts: z.object({ judgment: z.string().nullable(), append_system_prompt: z.string().nullable() }),
  mcp_servers: z.record(z.string(), z.union([McpServer, z.literal(true)])),
  skills_dir: z.string().nullable(),
  intake: z.boolean(),
});
export type Configuration = z.infer<typeof Configuration>;
