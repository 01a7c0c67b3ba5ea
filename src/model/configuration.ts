import { z } from "zod";
import { FinalizeSettings, finalizeSettings, WorktreeSettings, worktreeSettings } from "./branch-settings.ts";
import { CredentialName } from "./credentials.ts";
import { Criterion, CriterionInput } from "./criterion.ts";
import { DEFAULTS, MOST_ITERATIONS } from "./limits.ts";
import type { ValueForm } from "./messages/configuration.ts";
import { NotifyEvent } from "./notification.ts";
import type { Role } from "./roles.ts";
import { HostPattern, SandboxLevel } from "./sandbox.ts";
import { textList, tokenCount, yamlBoolean, yamlNumber, yamlText } from "./yaml-scalars.ts";

const text = z.string().trim().min(1);
const KeepPattern = text.refine(
  (path) => !path.startsWith("/") && !path.split("/").includes(".."),
  "keep_pattern" satisfies ValueForm,
);

/** How a claim is proved. `auto`: in a clean checkout where one can be made, else in place, and the report says so. */
export const ProofMode = z.enum(["auto", "clean", "in-place", "none"]);
export type ProofMode = z.infer<typeof ProofMode>;

/** What happens when the checks already pass before the first work. `auto`: work where a model can judge the task's text, else done. */
export const IfGreen = z.enum(["auto", "work", "done", "fail"]);
export type IfGreen = z.infer<typeof IfGreen>;

/** `07:00`, the next time the clock shows it; or a date and a time, local where it names no zone. */
const deadline = text
  .refine((value) => TIME_OF_DAY.test(value) || isMoment(value), "deadline" satisfies ValueForm)
  .meta(form("deadline"));
export const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** Turns a role's model off. Only the summarizer allows this. */
export const NO_MODEL = "none";
/** The model that an agent chooses itself. */
export const OWN_MODEL = "default";
export const model = text.refine((name) => name !== NO_MODEL, "model_needed" satisfies ValueForm);

/** A program that speaks MCP over stdio, or a URL, as in Claude Code's own files. */
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
  .union([z.array(text), z.record(text, z.union([McpServer, z.literal(true)]).meta(form("mcp_server")))])
  .meta(form("mcp_servers"));
export type McpServers = z.infer<typeof McpServers>;

/** The agent that works: a backend's name, or its name with a program, a story or settings. The backends define the names. */
export const AgentChoice = z.union([text, z.record(text, z.union([text, z.record(z.string(), z.unknown())]))]);
export type AgentChoice = z.infer<typeof AgentChoice>;

/** Who works: an agent, with a model of its own or its usual one. */
export const Worker = z.object({ agent: AgentChoice, model: z.string().nullable() });
export type Worker = z.infer<typeof Worker>;

/** In a file: an agent, or an agent with its model. Where an agent takes over after a standstill, also a model alone. */
export const WorkerInput = z.union([AgentChoice, z.strictObject({ agent: AgentChoice, model: model.optional() })]);

/** Settings that only an agent's backend understands. */
const BackendOptions = z.record(z.string(), z.unknown());

const usdPerMillion = yamlNumber(z.number().min(0));

/** The price of a model over an API, in US dollars per million tokens. APIs do not report it. */
export const Price = z.strictObject({ input: usdPerMillion, output: usdPerMillion });
export type Price = z.infer<typeof Price>;

/** Null means "off" and overrides a lower layer. */
export const settings = {
  max_iterations: yamlNumber(z.int().min(1).max(MOST_ITERATIONS)).optional(),
  history_context_size: yamlNumber(z.int().min(1).max(20)).optional(),
  knowledge_context_size: yamlNumber(z.int().min(1).max(50)).optional(),
  raw_output_context: yamlNumber(z.int().min(0).max(1)).optional(),
  command_timeout: yamlNumber(z.number().positive()).optional(),
  silence_timeout: yamlNumber(z.number().min(1).nullable()).optional(),
  stall_limit: yamlNumber(z.int().min(2).nullable()).optional(),
  until: deadline.nullable().optional(),
  persist: yamlText(text).optional(),
  knowledge: text.nullable().optional(),
  working_directory: text.optional(),
  agent: AgentChoice.optional(),
  agents: z.array(WorkerInput).min(1).optional(),
  fallback_after: yamlNumber(z.number().min(0)).optional(),
  escalate_to: WorkerInput.nullable().optional(),
  agent_model: model.optional(),
  models: section({
    intake: model.optional(),
    executor: model.optional(),
    summarizer: text.optional(),
    judge: textList(model).optional(),
    reviewer: textList(model).optional(),
  }).optional(),
  /** The models of several reviewers, who must all agree; the same as `models.reviewer`. */
  reviewers: textList(model).optional(),
  review: yamlBoolean().optional(),
  prices: z.preprocess((value) => value ?? {}, z.record(text, Price)).optional(),
  budget: section({
    cost_usd: yamlNumber(z.number().positive().nullable()).optional(),
    tokens: tokenCount.meta(form("tokens")).optional(),
    minutes: yamlNumber(z.number().positive().nullable()).optional(),
  }).optional(),
  logging: section({ raw_log: yamlBoolean().optional(), raw_log_dir: text.nullable().optional() }).optional(),
  claude_options: BackendOptions.optional(),
  notify: section({
    on: z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(NotifyEvent)).optional(),
    desktop: yamlBoolean().optional(),
    webhook: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .optional(),
    command: text.nullable().optional(),
    on_end: text.nullable().optional(),
  }).optional(),
  prompts: section({
    judgment: yamlText(text).optional(),
    append_system_prompt: yamlText(text).optional(),
  }).optional(),
  mcp_servers: McpServers.optional(),
  skills_dir: text.nullable().optional(),
  intake: yamlBoolean().optional(),
  proof: ProofMode.optional(),
  protect: textList(text).optional(),
  may_change: textList(text).optional(),
  if_green: IfGreen.optional(),
  pass_credentials: textList(CredentialName).optional(),
  setup: textList(text).optional(),
  setup_timeout: yamlNumber(z.number().positive()).optional(),
  keep: textList(KeepPattern).optional(),
  sandbox_hosts: textList(HostPattern).optional(),
  sandbox: SandboxLevel.optional(),
  worktree: section(worktreeSettings).optional(),
  finalize: section(finalizeSettings).optional(),
};

export const Settings = z.strictObject(settings);
export type Settings = z.infer<typeof Settings>;

/** task.yaml. Allows an empty task and an empty list: resolving the layers reports them with better messages. */
export const TaskFile = z.strictObject({
  task: z.string().trim().nullable().optional(),
  criteria: z.preprocess(listed, z.array(CriterionInput.meta(form("criterion")))).optional(),
  ...settings,
});
export type TaskFile = z.infer<typeof TaskFile>;

/** endless8.yaml: defaults for all tasks of a project, plain or grouped as in endless8's first design. */
export const ProjectFile = z.strictObject({
  ...settings,
  engine: section(settings).optional(),
  integrations: section({ mcp: z.array(text).optional(), skills_dir: text.nullable().optional() }).optional(),
  /** Where the tasks are kept: no setting of a task, so that its URL is stored nowhere. */
  store: text.optional(),
});
export type ProjectFile = z.infer<typeof ProjectFile>;

/** Every value a run needs, resolved and complete: what task.json keeps. */
export const Configuration = z.object({
  task: text,
  /** Empty for a flow, which has its own completion. */
  criteria: z.array(Criterion),
  max_iterations: z.int().min(1),
  history_context_size: z.int().min(1).max(20),
  knowledge_context_size: z.int().min(1).max(50),
  raw_output_context: z.int().min(0).max(1),
  command_timeout: z.number().positive(),
  /** Seconds without a sign of life after which an agent is ended; null: never. */
  silence_timeout: z.number().nullable(),
  stall_limit: z.int().min(2).nullable(),
  /** The moment after which no work begins, as ISO 8601 in UTC. */
  until: z.string().nullable().default(null),
  persist: z.string().nullable(),
  knowledge: z.string().nullable(),
  working_directory: z.string(),
  agent: AgentChoice,
  /** Take over in this order while `agent` cannot work. */
  fallbacks: z.array(Worker).default([]),
  /** Minutes that a run waits for a limited agent before the next one takes over. */
  fallback_after: z.number().min(0).default(DEFAULTS.fallback_after),
  /** Takes over after a standstill. `agent: null`: the preferred one, with another model. */
  escalate_to: Worker.extend({ agent: AgentChoice.nullable() }).nullable().default(null),
  models: z.object({
    intake: z.string(),
    executor: z.string(),
    /** `none`: the summary is made mechanically. */
    summarizer: z.string(),
    judge: z.string(),
  }),
  /** The models of the judges where there are several, who must all agree; the first is `models.judge`. */
  judges: z.array(z.string()).default([]),
  /** The models of the reviewers, who must all agree. Empty: no model is at hand. */
  reviewers: z.array(z.string()).default([]),
  /** `false`: the user wants no review. */
  review: z.boolean().default(true),
  /** By the spelling of the model. */
  prices: z.record(z.string(), Price).default({}),
  budget: z.object({
    cost_usd: z.number().nullable(),
    tokens: z.number().nullable(),
    minutes: z.number().nullable(),
  }),
  logging: z.object({ raw_log: z.boolean(), raw_log_dir: z.string().nullable() }),
  claude_options: BackendOptions,
  /** How the user is told of the run while away. */
  notify: z
    .object({
      on: z.array(NotifyEvent),
      desktop: z.boolean(),
      webhook: z.string().nullable(),
      command: z.string().nullable(),
      on_end: z.string().nullable(),
    })
    .default({ on: ["end", "question"], desktop: false, webhook: null, command: null, on_end: null }),
  prompts: z.object({ judgment: z.string().nullable(), append_system_prompt: z.string().nullable() }),
  mcp_servers: z.record(z.string(), z.union([McpServer, z.literal(true)])),
  skills_dir: z.string().nullable(),
  intake: z.boolean(),
  proof: ProofMode.default("none"),
  /** A policy (`auto`, `review`, `fail`, `restore`, `off`), and patterns of further files that the checks rest on. */
  protect: z.array(z.string()).default(["auto"]),
  /** Patterns of protected files that the task is meant to change. */
  may_change: z.array(z.string()).default([]),
  if_green: IfGreen.default("auto"),
  /** Credentials of trackers and git hosts that the work may have. */
  pass_credentials: z.array(z.string()).default([]),
  /** Commands that prepare a clean checkout before the checks, one after the other. */
  setup: z.array(z.string()).default([]),
  /** Seconds for each of them. */
  setup_timeout: z.number().positive().default(DEFAULTS.setup_timeout),
  /** Patterns of ignored files: with `setup` those that it makes and that stay in the room, without it those that the room has. */
  keep: z.array(z.string()).default([]),
  /** Patterns of hosts that worker and checks may reach under `sandbox: strict`. */
  sandbox_hosts: z.array(z.string()).default([]),
  sandbox: SandboxLevel.default("contain"),
  worktree: WorktreeSettings,
  finalize: FinalizeSettings,
});
export type Configuration = z.infer<typeof Configuration>;

/** The models that review the work, if any. */
export function reviewersOf({ review, reviewers }: Pick<Configuration, "review" | "reviewers">): string[] {
  return review ? reviewers : [];
}

/** The models of the judges, who must all agree. */
export function judgesOf({ models, judges }: Pick<Configuration, "models" | "judges">): string[] {
  return judges.length > 0 ? judges : [models.judge];
}

/** The models that are asked in a role. */
export function modelsFor(role: Role, configuration: Configuration): string[] {
  if (role === "judge") return judgesOf(configuration);
  return role === "reviewer" ? reviewersOf(configuration) : [configuration.models[role]];
}

/** The model of each role; the first one of several reviewers. */
export function modelOfEach({ models, reviewers }: Pick<Configuration, "models" | "reviewers">): Record<Role, string> {
  return { ...models, reviewer: reviewers[0] ?? models.judge };
}

/** Names a form that `src/texts` describes. */
export function form(name: ValueForm): { form: ValueForm } {
  return { form: name };
}

/** A group of keys. A heading without lines is an empty group. */
export function section<T extends z.ZodRawShape>(shape: T) {
  return z.preprocess((value) => (value === null ? {} : value), z.strictObject(shape));
}

/** A single text may stand without a list. */
function isMoment(value: string): boolean {
  const shape = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;
  return shape.test(value) && !Number.isNaN(Date.parse(value));
}

/** A single criterion may stand without a list. */
function listed(value: unknown): unknown {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(withoutEmptyKeys);
}

/** Empty `description:` and `timeout:` keys count as absent, as in pydantic. */
function withoutEmptyKeys(criterion: unknown): unknown {
  if (typeof criterion !== "object" || criterion === null || Array.isArray(criterion)) return criterion;
  return Object.fromEntries(
    Object.entries(criterion).filter(([key, value]) => value !== null || !["description", "timeout"].includes(key)),
  );
}
