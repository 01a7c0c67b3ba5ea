import type { Configuration } from "../../src/model/configuration.ts";

/** No intake and no limits but the number of iterations: tests say what they are about. */
export const PLAIN_CONFIGURATION: Configuration = {
  task: "",
  criteria: [],
  max_iterations: 10,
  history_context_size: 5,
  knowledge_context_size: 10,
  raw_output_context: 0,
  command_timeout: 30,
  silence_timeout: null,
  stall_limit: null,
  persist: null,
  knowledge: null,
  working_directory: ".",
  agent: "claude",
  models: { intake: "m", executor: "m", summarizer: "m", judge: "m" },
  budget: { cost_usd: null, tokens: null, minutes: null },
  logging: { raw_log: false, raw_log_dir: null },
  claude_options: {
    allowed_tools: [],
    output_format: "stream-json",
    verbose: false,
    timeout: null,
    max_turns: { intake: 10, execution: 50, summary: 10, judgment: 10 },
    executable: null,
    permission_mode: "acceptEdits",
  },
  prompts: { judgment: null, append_system_prompt: null },
  mcp_servers: {},
  skills_dir: null,
  intake: false,
};
