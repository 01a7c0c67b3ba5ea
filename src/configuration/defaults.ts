import type { Configuration } from "../model/configuration.ts";
import { type Criterion, isCheck } from "../model/criterion.ts";
import { type Layer, layerOf } from "./layer.ts";

/** What the other defaults hang on. */
export interface DefaultsBasis {
  agent: Configuration["agent"];
  criteria: readonly Criterion[];
  project: string;
}

/** Seconds after which a silent Claude Code is ended, where nobody says otherwise. */
export const CLAUDE_SILENCE = 900;

export function isProgram(agent: Configuration["agent"]): boolean {
  return typeof agent === "object" && "command" in agent;
}

/** A program used as the agent may be silent for hours, and with checks only it must need no model at all. */
export function defaultLayer({ agent, criteria, project }: DefaultsBasis): Layer {
  const isCommand = isProgram(agent);
  const needsModel = !isCommand || !criteria.every(isCheck);
  const settings: Omit<Configuration, "task" | "criteria" | "models" | "mcp_servers"> = {
    max_iterations: 10,
    history_context_size: 5,
    knowledge_context_size: 10,
    raw_output_context: 0,
    command_timeout: 30,
    silence_timeout: isCommand ? null : CLAUDE_SILENCE,
    // A night's money is what a loop without progress costs; five rounds in vain are enough to call it one.
    stall_limit: 5,
    persist: null,
    knowledge: null,
    working_directory: project,
    agent: "claude",
    prices: {},
    budget: { cost_usd: null, tokens: null, minutes: null },
    logging: { raw_log: false, raw_log_dir: null },
    claude_options: {
      allowed_tools: ["Read", "Edit", "Write", "Bash"],
      output_format: "stream-json",
      verbose: true,
      timeout: null,
      max_turns: { intake: 10, execution: 50, summary: 10, judgment: 10 },
      executable: null,
      permission_mode: "dontAsk",
    },
    prompts: { judgment: null, append_system_prompt: null },
    skills_dir: null,
    intake: needsModel,
  };
  return layerOf(settings, () => "default");
}
