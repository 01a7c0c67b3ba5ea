import { createRequire } from "node:module";
import { z } from "zod";
import { type Configuration, type McpServer, model, modelOfEach, section } from "../../../model/configuration.ts";
import type { Role } from "../../../model/roles.ts";
import { yamlBoolean, yamlNumber } from "../../../model/yaml-scalars.ts";
import type { AgentSetup } from "../backend.ts";

/** What all answers of one task have in common. */
export interface ClaudeAgentOptions extends Omit<AgentSetup, "configuration"> {
  /** Absolute, as is the project; the other paths may be relative to the project. */
  working_directory: string;
  models: Readonly<Record<Role, string>>;
  allowed_tools: readonly string[];
  permission_mode: PermissionMode;
  /** Of the model, for one answer. */
  max_turns: Readonly<Record<Role, number>>;
  /** A `claude` to use instead of the bundled one: a path, or a name on the PATH. */
  executable: string | null;
  /** `true`: a server configured elsewhere that may be started. */
  mcp_servers: Readonly<Record<string, McpServer | true>>;
  skills_dir: string | null;
  /** Credentials that the work may have; none where absent. */
  pass_credentials?: readonly string[];
  /** For models whose price Claude Code does not know. */
  prices: Configuration["prices"];
  /** Whether the run has a cost limit: the user then needs to know when the cost is unknown. */
  has_cost_budget: boolean;
}

const SDK = "@anthropic-ai/claude-agent-sdk";

/** The Claude Code that comes with the Agent SDK, where the SDK looks for it: in an optional package for each platform. */
export function bundledClaude(): string | undefined {
  const platform = `${SDK}-${process.platform}-${process.arch}`;
  for (const name of [platform, `${platform}-musl`]) {
    try {
      return createRequire(sdkFile()).resolve(`${name}/claude`);
    } catch {
      // not installed: the other one may be
    }
  }
  return undefined;
}

function sdkFile(): string {
  return createRequire(import.meta.url).resolve(SDK);
}

const text = z.string().trim().min(1);
const turns = z.int().min(1).max(200);
const setTurns = yamlNumber(turns).optional();

/** How Claude Code decides over tool calls that no rule allows. */
export const PermissionMode = z.enum(["default", "acceptEdits", "dontAsk", "plan", "bypassPermissions"]);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Those that a flow's definition may name: in `dontAsk` its boundaries would allow nothing. */
export const FLOW_ACCESS = ["default", "plan", "acceptEdits", "bypassPermissions"] as const satisfies PermissionMode[];

/** `claude_options` as files have it: each key may be left out. */
export const ClaudeOptions = section({
  allowed_tools: z.array(text).optional(),
  model: model.optional(),
  output_format: z.literal("stream-json").optional(),
  verbose: yamlBoolean().optional(),
  timeout: yamlNumber(z.number().min(30).max(3600).nullable()).optional(),
  max_turns: section({
    intake: setTurns,
    execution: setTurns,
    summary: setTurns,
    judgment: setTurns,
    review: setTurns,
  }).optional(),
  executable: text.nullable().optional(),
  permission_mode: PermissionMode.optional(),
});

/** A reviewer looks around in the files first. */
const REVIEW_TURNS = 30;

/** `claude_options` of a run: complete. */
const ClaudeSettings = z.object({
  allowed_tools: z.array(z.string()),
  output_format: z.literal("stream-json"),
  /** Keeps every message in the raw log. */
  verbose: z.boolean(),
  /** Seconds for one answer, of whatever agent; null: no limit. */
  timeout: z.number().nullable(),
  max_turns: z.object({
    intake: turns,
    execution: turns,
    summary: turns,
    judgment: turns,
    review: turns.default(REVIEW_TURNS),
  }),
  executable: z.string().nullable(),
  permission_mode: PermissionMode,
});
type ClaudeSettings = z.infer<typeof ClaudeSettings>;

export const DEFAULT_CLAUDE_SETTINGS: ClaudeSettings = {
  allowed_tools: ["Read", "Edit", "Write", "Bash"],
  output_format: "stream-json",
  verbose: true,
  timeout: null,
  max_turns: { intake: 10, execution: 50, summary: 10, judgment: 10, review: REVIEW_TURNS },
  executable: null,
  permission_mode: "dontAsk",
};

export function claudeSettings({ claude_options }: Configuration): ClaudeSettings {
  return ClaudeSettings.parse({ ...DEFAULT_CLAUDE_SETTINGS, ...claude_options });
}

/** The options that Claude Code and the scripted agent share. */
export function commonOptions(configuration: Configuration) {
  const { working_directory } = configuration;
  const { allowed_tools, permission_mode, max_turns } = claudeSettings(configuration);
  const { intake, execution, summary, judgment, review } = max_turns;
  const turns = { intake, executor: execution, summarizer: summary, judge: judgment, reviewer: review };
  return { working_directory, models: modelOfEach(configuration), allowed_tools, permission_mode, max_turns: turns };
}
