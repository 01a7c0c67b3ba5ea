import { FINALIZE, WORKTREE } from "../../model/branch-settings.ts";
import type { Configuration } from "../../model/configuration.ts";
import { type Criterion, isCheck } from "../../model/criterion.ts";
import { DEFAULTS } from "../../model/limits.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { type Layer, layerOf } from "./layer.ts";

/** The values that the other defaults depend on. */
export interface DefaultsBasis {
  agents: AgentSettings;
  agent: Configuration["agent"];
  criteria: readonly Criterion[];
  project: string;
}

/** Seconds after which a silent agent is ended, by default. */
export const SILENCE_SECONDS = 900;

/** A program used as the agent may be silent for hours, and with checks only it must need no model at all. */
export function defaultLayer({ agents, agent, criteria, project }: DefaultsBasis): Layer {
  const isProgram = !agents.answersRoles(agent);
  const needsModel = !isProgram || !criteria.every(isCheck);
  const settings: Omit<Configuration, "task" | "criteria" | "models" | "judges" | "reviewers" | "mcp_servers"> = {
    max_iterations: DEFAULTS.max_iterations,
    history_context_size: 5,
    knowledge_context_size: 10,
    raw_output_context: 0,
    command_timeout: DEFAULTS.command_timeout,
    silence_timeout: isProgram ? null : SILENCE_SECONDS,
    // A loop without progress can spend money all night; after five iterations without any it stops.
    stall_limit: 5,
    until: null,
    persist: null,
    knowledge: null,
    working_directory: project,
    agent: agents.default_choice,
    fallbacks: [],
    fallback_after: DEFAULTS.fallback_after,
    escalate_to: null,
    prices: {},
    budget: { cost_usd: null, tokens: null, minutes: null },
    logging: { raw_log: false, raw_log_dir: null },
    claude_options: agents.default_options,
    notify: { on: ["end", "question"], desktop: false, webhook: null, command: null, on_end: null },
    prompts: { judgment: null, append_system_prompt: null },
    skills_dir: null,
    intake: needsModel,
    review: true,
    proof: "auto",
    protect: ["auto"],
    may_change: [],
    if_green: "auto",
    pass_credentials: [],
    setup: [],
    setup_timeout: DEFAULTS.setup_timeout,
    keep: [],
    sandbox_hosts: [],
    sandbox: "contain",
    worktree: WORKTREE,
    finalize: FINALIZE,
  };
  return layerOf(settings, () => "default");
}
