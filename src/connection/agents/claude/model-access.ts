import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Environment } from "../../../model/environment.ts";
import type { ModelAccess } from "../backend.ts";
import { readLoosely, userFiles } from "./startup-files.ts";

/** Claude Code's own hosts: its API, and those that renew a login. Statistics and updates are not needed for an answer. */
const OWN_HOSTS = ["api.anthropic.com", "platform.claude.com", "console.anthropic.com", "claude.ai"];

/** Clouds that Claude Code can reach a model through: the switch, its hosts, and the credentials in HOME that it needs. */
const CLOUDS = [
  {
    switch: "CLAUDE_CODE_USE_BEDROCK",
    url: "ANTHROPIC_BEDROCK_BASE_URL",
    hosts: ["bedrock-runtime.*.amazonaws.com", "bedrock.*.amazonaws.com", "sts.amazonaws.com", "sts.*.amazonaws.com"],
    keeps: [".aws"],
  },
  {
    switch: "CLAUDE_CODE_USE_VERTEX",
    url: "ANTHROPIC_VERTEX_BASE_URL",
    hosts: ["aiplatform.googleapis.com", "*-aiplatform.googleapis.com", "oauth2.googleapis.com", "sts.googleapis.com"],
    keeps: [".config/gcloud"],
  },
  {
    switch: "CLAUDE_CODE_USE_FOUNDRY",
    url: "ANTHROPIC_FOUNDRY_BASE_URL",
    hosts: ["*.services.ai.azure.com", "login.microsoftonline.com"],
    keeps: [".azure"],
  },
];

/** Of Claude Code's files, those that decide what it runs: a worker must not leave anything in them for the user's next session. */
const DECIDING = [
  "settings.json",
  "settings.local.json",
  "CLAUDE.md",
  "agents",
  "commands",
  "hooks",
  "plugins",
  "skills",
  "output-styles",
];

/** What Claude Code needs to reach its model, and the files that it works with. */
export async function modelAccess(user: Environment): Promise<ModelAccess> {
  const files = userFiles(user);
  const settings = await readLoosely(files.settings, z.object({ env: z.record(z.string(), z.string()).optional() }));
  const environment = { ...user, ...settings?.env };
  const cloud = CLOUDS.find((one) => environment[one.switch]);
  const url = cloud ? environment[cloud.url] : environment.ANTHROPIC_BASE_URL;
  const folder = join(files.settings, "..");
  return {
    hosts: url ? [hostOf(url)] : (cloud?.hosts ?? OWN_HOSTS),
    kept: (cloud?.keeps ?? []).map((name) => join(environment.HOME || homedir(), name)),
    made: [folder],
    writable: [folder, files.state],
    readable: DECIDING.map((name) => join(folder, name)),
  };
}

/** `host:port` of a URL. */
export function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "http:" ? "80" : "443")}`;
}
