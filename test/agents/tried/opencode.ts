import { join } from "node:path";
import process from "node:process";
import type { TriedAgent } from "./agent.ts";

const BINARY = [`opencode-${process.platform}-${process.arch}`, "bin", "opencode"];

export const opencode: TriedAgent = {
  name: "opencode",
  choice: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  program: "opencode",
  binary: BINARY,
  api: "OpenAI-compatible chat completions",
  folder: ".local/share/opencode",
  bare: ["opencode", "run", "--title", "t"],
  bare_program: BINARY,
  login: "OPENROUTER_API_KEY",
  keys: ["OPENCODE_CONFIG_CONTENT"],
  keyless: (url) => ({ OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(url, {})) }),
  async settle(home, url) {
    return {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(url, { apiKey: "sk-fake" })),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local/share"),
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_STATE_HOME: join(home, ".local/state"),
    };
  },
  write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
  run: (command) => ({ tool: "bash", input: { command, description: "Runs it" } }),
  forbidden: (command) => ({ tool: "bash", input: { command, description: "Runs it" } }),
  remote: (server, tool) => `${server}_${tool}`,
  limit: (resets_at) => ({ status: 429, retry_after: resets_at - Math.floor(Date.now() / 1000) }),
};

function configuration(url: string, key: { apiKey?: string }): object {
  return {
    autoupdate: false,
    share: "disabled",
    enabled_providers: ["fake"],
    model: "fake/m1",
    small_model: "fake/m1",
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, ...key },
        models: { m1: { tool_call: true, limit: { context: 200_000, output: 8000 } } },
      },
    },
  };
}
