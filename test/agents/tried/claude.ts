import { join } from "node:path";
import process from "node:process";
import type { TriedAgent } from "./agent.ts";

export const claude: TriedAgent = {
  name: "claude-agent-acp",
  choice: "acp:claude-agent-acp",
  package: "@agentclientprotocol/claude-agent-acp",
  version: "0.49.0",
  program: "claude-agent-acp",
  api: "Anthropic Messages",
  folder: ".claude",
  bare: ["claude", "-p", "--permission-mode", "acceptEdits"],
  bare_program: ["@anthropic-ai", `claude-agent-sdk-${process.platform}-${process.arch}`, "claude"],
  login: "ANTHROPIC_API_KEY",
  keys: ["ANTHROPIC_API_KEY"],
  subscription: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake" },
  async settle(home, url) {
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-fake",
      ANTHROPIC_MODEL: "claude-sonnet-5",
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      CLAUDE_CODE_TMPDIR: join(home, "tmp"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
      IS_SANDBOX: "1",
    };
  },
  write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
  run: (command) => ({ tool: "Bash", input: { command, description: "Runs it" } }),
  forbidden: (command) => ({ tool: "Bash", input: { command, description: "Runs it" } }),
  remote: (server, tool) => `mcp__${server}__${tool}`,
  limit: (resets_at) => ({ status: 429, resets_at }),
};
