import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TriedAgent } from "./agent.ts";

export const gemini: TriedAgent = {
  name: "gemini",
  choice: "gemini",
  package: "@google/gemini-cli",
  version: "0.61.0",
  program: "gemini",
  api: "Gemini streamGenerateContent",
  folder: ".gemini",
  bare: ["gemini", "--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-p"],
  bare_program: [".bin", "gemini"],
  login: "GEMINI_API_KEY",
  keys: ["GEMINI_API_KEY"],
  async settle(home, url) {
    await mkdir(join(home, ".gemini"), { recursive: true });
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    await writeFile(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
    return { GEMINI_API_KEY: "fake", GOOGLE_GEMINI_BASE_URL: url, GEMINI_MODEL: "gemini-2.5-flash" };
  },
  write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
  run: (command) => ({ tool: "run_shell_command", input: { command } }),
  forbidden: (command) => ({ tool: "run_shell_command", input: { command } }),
  remote: (server, tool) => `mcp_${server}_${tool}`,
  limit: () => ({
    status: 429,
    message: JSON.stringify({
      error: {
        code: 429,
        message: "You exceeded your current quota, please check your plan and billing details.",
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [DAILY] }],
      },
    }),
  }),
};

const DAILY = {
  quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
  quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
  quotaValue: "250",
};
