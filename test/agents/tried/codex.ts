import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TriedAgent } from "./agent.ts";

export const codex: TriedAgent = {
  name: "codex",
  choice: "codex",
  package: "@agentclientprotocol/codex-acp",
  version: "2.6.0",
  program: "codex-acp",
  api: "OpenAI Responses",
  folder: ".codex",
  bare: ["codex", "exec", "--skip-git-repo-check", "-s", "workspace-write"],
  bare_program: [".bin", "codex"],
  login: "FAKE_KEY",
  keys: ["FAKE_KEY"],
  async settle(home, url) {
    const folder = join(home, ".codex");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "config.toml"), configuration(url));
    return { CODEX_HOME: folder, FAKE_KEY: "sk-fake", MODEL_PROVIDER: "fake", NO_BROWSER: "1" };
  },
  write: (path, content) => ({
    tool: "exec_command",
    input: { cmd: `printf %s ${quoted(content)} > ${quoted(path)}` },
  }),
  run: (cmd) => ({ tool: "exec_command", input: { cmd } }),
  forbidden: (cmd) => ({
    tool: "exec_command",
    input: { cmd, sandbox_permissions: "require_escalated", justification: "It needs more" },
  }),
  patch: (path, content) => ({
    tool: "exec_command",
    input: { cmd: `apply_patch <<'END'\n*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch\nEND\n` },
  }),
  remote: (server, tool) => `mcp__${server}__${tool}`,
  limit: (resets_at) => ({
    status: 429,
    message: JSON.stringify({
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at,
        resets_in_seconds: resets_at - Math.floor(Date.now() / 1000),
      },
    }),
  }),
};

/** Its built-in provider would first try a WebSocket, seven times. */
function configuration(url: string): string {
  return `model = "gpt-fake"
model_provider = "fake"
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
