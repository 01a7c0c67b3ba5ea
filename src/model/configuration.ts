import { z } from "zod";
import { Criterion, CriterionInput } from "./criterion.ts";
import { MOST_ITERATIONS } from "./limits.ts";
import { yamlBoolean, yamlNumber, yamlText } from "./yaml-scalars.ts";

const text = z.string().trim().min(1);
const maxTurns = z.int().min(1).max(200);
const setMaxTurns = yamlNumber(maxTurns).optional();

/** What a role without a model is given; only the summarizer can do without one. */
export const NO_MODEL = "none";
const model = text.refine((name) => name !== NO_MODEL, "only models.summarizer can be none");

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
export const McpServers = z
  .union([
    z.array(text),
    z.record(text, z.union([McpServer, z.literal(true)]).describe("true, or a mapping with a command or a url")),
  ])
  .describe("a list of names, or a mapping of names to servers");
export type McpServers = z.infer<typeof McpServers>;

/** The agent that works: Claude Code unless a command is named. */
export const AgentChoice = z
  .union([z.literal("claude"), z.strictObject({ command: text }), z.strictObject({ scripted: text })])
  .describe("claude, or a mapping with a command or scripted");
export type AgentChoice = z.infer<typeof AgentChoice>;

const claudeOptions = section({
  allowed_tools: z.array(text).optional(),
  model: model.optional(),
  output_format: z.literal("stream-json").optional(),
  verbose: yamlBoolean().optional(),
  timeout: yamlNumber(z.number().min(30).max(3600).nullable()).optional(),
  max_turns: section({
    intake: setMaxTurns,
    execution: setMaxTurns,
    summary: setMaxTurns,
    judgment: setMaxTurns,
  }).optional(),
  executable: text.nullable().optional(),
  permission_mode: PermissionMode.optional(),
});

const usdPerMillion = yamlNumber(z.number().min(0));

/** What a model over an API costs, in US dollars for a million tokens: its API does not say. */
export const Price = z.strictObject({ input: usdPerMillion, output: usdPerMillion });
export type Price = z.infer<typeof Price>;

/** Where null is allowed it means "off", and so hides what a lower layer says. */
const settings = {
  max_iterations: yamlNumber(z.int().min(1).max(MOST_ITERATIONS)).optional(),
  history_context_size: yamlNumber(z.int().min(1).max(20)).optional(),
  knowledge_context_size: yamlNumber(z.int().min(1).max(50)).optional(),
  raw_output_context: yamlNumber(z.int().min(0).max(1)).optional(),
  command_timeout: yamlNumber(z.number().positive()).optional(),
  silence_timeout: yamlNumber(z.number().min(1).nullable()).optional(),
  stall_limit: yamlNumber(z.int().min(2).nullable()).optional(),
  persist: yamlText(text).optional(),
  knowledge: text.nullable().optional(),
  working_directory: text.optional(),
  agent: AgentChoice.optional(),
  agent_model: model.optional(),
  models: section({
    intake: model.optional(),
    executor: model.optional(),
    summarizer: text.optional(),
    judge: model.optional(),
  }).optional(),
  prices: z.preprocess((value) => value ?? {}, z.record(text, Price)).optional(),
  budget: section({
    cost_usd: yamlNumber(z.number().positive().nullable()).optional(),
    tokens: yamlNumber(z.int().positive().nullable()).optional(),
    minutes: yamlNumber(z.number().positive().nullable()).optional(),
  }).optional(),
  logging: section({ raw_log: yamlBoolean().optional(), raw_log_dir: text.nullable().optional() }).optional(),
  claude_options: claudeOptions.optional(),
  prompts: section({
    judgment: yamlText(text).optional(),
    append_system_prompt: yamlText(text).optional(),
  }).optional(),
  mcp_servers: McpServers.optional(),
  skills_dir: text.nullable().optional(),
  intake: yamlBoolean().optional(),
};

/** Everything that can be set but the task itself. */
export const Settings = z.strictObject(settings);
export type Settings = z.infer<typeof Settings>;

/** task.yaml. An empty task and an empty list are let through: the layers are resolved later, with better messages for both. */
export const TaskFile = z.strictObject({
  task: z.string().trim().nullable().optional(),
  criteria: z
    .preprocess(
      listed,
      z.array(
        CriterionInput.describe(
          'a criterion is a sentence (in quotes where it holds ": "), or a mapping: type: command with a command, or type: unchanged with files',
        ),
      ),
    )
    .optional(),
  ...settings,
});
export type TaskFile = z.infer<typeof TaskFile>;

/** endless8.yaml: defaults for all tasks of a project, plain or grouped as in endless8's first design. */
export const ProjectFile = z.strictObject({
  ...settings,
  engine: section(settings).optional(),
  integrations: section({ mcp: z.array(text).optional(), skills_dir: text.nullable().optional() }).optional(),
});
export type ProjectFile = z.infer<typeof ProjectFile>;

/** Every value a run needs, resolved and complete: what task.json keeps. */
export const Configuration = z.object({
  task: text,
  /** Empty for an agent made of steps, which has its own completion. */
  criteria: z.array(Criterion),
  max_iterations: z.int().min(1),
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
  /** By the spelling of the model. */
  prices: z.record(z.string(), Price).default({}),
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

/** A group of keys. A heading whose lines are all commented out is an empty group. */
function section<T extends z.ZodRawShape>(shape: T) {
  return z.preprocess((value) => (value === null ? {} : value), z.strictObject(shape));
}

/** One criterion needs no list. */
function listed(value: unknown): unknown {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(withoutEmptyKeys);
}

/** pydantic takes a criterion's `description:` and `timeout:` that are left empty for left out. */
function withoutEmptyKeys(criterion: unknown): unknown {
  if (typeof criterion !== "object" || criterion === null || Array.isArray(criterion)) return criterion;
  return Object.fromEntries(
    Object.entries(criterion).filter(([key, value]) => value !== null || !["description", "timeout"].includes(key)),
  );
}
