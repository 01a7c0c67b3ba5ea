import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownBackends } from "../../../src/connection/agents/acp/backend.ts";
import { KNOWN_AGENTS } from "../../../src/connection/agents/acp/known-agents.ts";
import { accessOf, loginOf } from "../../../src/connection/agents/acp/login.ts";
import type { Configuration } from "../../../src/model/configuration.ts";
import type { Environment } from "../../../src/model/environment.ts";
import { findingText } from "../../../src/texts/sentences.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { ACP_PROGRAM, type AcpScript } from "./acp-support.ts";

/** A machine on which `codex-acp` is a small agent with this script, or is not there. */
async function machine(script?: AcpScript): Promise<Environment & { HOME: string }> {
  const HOME = await temporaryDirectory();
  const bin = join(HOME, "bin");
  await mkdir(bin);
  if (script) {
    const file = join(bin, "codex-acp");
    await writeFile(join(HOME, "script.json"), JSON.stringify(script));
    await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${ACP_PROGRAM}' '${join(HOME, "script.json")}'\n`);
    await chmod(file, 0o755);
  }
  return { HOME, PATH: `${bin}:/usr/bin:/bin` };
}

async function examined(environment: Environment, isNeeded = true) {
  const configuration = { agent: "codex" } as Configuration;
  const roles = isNeeded ? (["executor"] as const) : [];
  const found = await knownBackends.codex.examine?.({ configuration, project: "/", environment, roles });
  const told = (found ?? []).map((one) => findingText(one, "en"));
  for (const one of found ?? []) expect(findingText(one, "ja").message).toMatch(/\S/);
  return (found ?? []).map(({ state, code }, index) => ({ state, code, ...told[index] }));
}

test("an agent that is there is greeted, and asked nothing; its login is looked for", async () => {
  const environment = await machine({});

  expect(await examined(environment)).toMatchObject([
    { state: "ok", code: "acp_ok", message: expect.stringMatching(/^Codex 1\.2\.3 \(.*codex-acp\) speaks/) },
    { state: "problem", code: "acp_login_missing", hint: expect.stringMatching(/codex login.*OPENAI_API_KEY/) },
  ]);
  expect((await examined({ ...environment, OPENAI_API_KEY: "sk-secret" }))[1]).toMatchObject({
    code: "acp_key_untried",
  });
  await codexFile(environment, "auth.json", JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: "sk-secret" }));
  expect((await examined(environment))[1]).toMatchObject({ state: "ok", code: "acp_login_found" });
});

test.each([
  "{}",
  "no JSON",
  '{"auth_mode": "chatgpt", "OPENAI_API_KEY": null, "tokens": null, "last_refresh": "2026-01-01T00:00:00Z"}',
])("a login file that holds no login is none: %s", async (content) => {
  const environment = await machine({});
  await codexFile(environment, "auth.json", content);

  expect((await examined(environment))[1]).toMatchObject({ state: "problem", code: "acp_login_missing" });
});

const MINE = '[model_providers.mine]\nname = "mine"\nbase_url = "http://127.0.0.1:1/v1"\n';

test.each([
  ["in a table", `model_provider = "mine"\n${MINE}env_key = "MY_KEY" # mine\n`],
  ["on one line", 'model_provider = "mine"\nmodel_providers.mine = { name = "mine", env_key = "MY_KEY" }\n'],
  ["in a profile", `profile = 'p'\n[profiles.p]\nmodel_provider = "mine"\n${MINE}env_key = "MY_KEY"\n`],
])("a provider of the user's own has a key of its own, which alone counts: %s", async (_, settings) => {
  const environment = await machine({});
  await codexFile(environment, "config.toml", settings);

  expect((await examined({ ...environment, OPENAI_API_KEY: "sk-other" }))[1]).toMatchObject({
    state: "problem",
    code: "acp_login_missing",
    hint: "Set MY_KEY.",
  });
  expect((await examined({ ...environment, MY_KEY: "secret" }))[1]).toMatchObject({
    state: "ok",
    message: expect.stringContaining("MY_KEY"),
  });
});

test("a provider without a key needs no login, and one that takes the usual login needs that", async () => {
  const environment = await machine({});
  await codexFile(environment, "config.toml", `model_provider = "mine"\n${MINE}`);
  expect((await examined(environment))[1]).toMatchObject({ state: "ok", code: "acp_login_needless" });

  await codexFile(environment, "config.toml", `model_provider = "mine"\n${MINE}requires_openai_auth = true\n`);
  expect((await examined(environment))[1]).toMatchObject({ state: "problem", code: "acp_login_missing" });
});

async function codexFile({ HOME }: { HOME: string }, name: string, content: string): Promise<void> {
  await mkdir(join(HOME, ".codex"), { recursive: true });
  await writeFile(join(HOME, ".codex", name), content);
}

test("an agent that is not there is a problem only where a run needs it; what to type is said either way", async () => {
  const environment = await machine();

  for (const [isNeeded, state] of [
    [true, "problem"],
    [false, "ok"],
  ] as const)
    expect(await examined(environment, isNeeded)).toMatchObject([
      { state, code: "acp_absent", hint: expect.stringMatching(/npm install -g @agentclientprotocol\/codex-acp/) },
    ]);
});

const VERTEX = '{\n  // mine\n  "security": { "auth": { "selectedType": "vertex-ai" } }\n}\n';
const OAUTH = '{ "security": { "auth": { "selectedType": "oauth-personal" } } }';
const CREDS = '{ "access_token": "a", "refresh_token": "b" }';

// What the real Gemini CLI 0.61 answers to `session/new` with these.
test.each<[string, Record<string, string>, Environment, "key" | "file" | "missing"]>([
  ["nothing", {}, {}, "missing"],
  ["its own key", {}, { GEMINI_API_KEY: "k" }, "key"],
  ["a key of Vertex AI that no setting chooses", {}, { GOOGLE_API_KEY: "k" }, "missing"],
  [
    "and the variable that chooses it elsewhere",
    {},
    { GOOGLE_API_KEY: "k", GOOGLE_GENAI_USE_VERTEXAI: "true" },
    "missing",
  ],
  ["credentials of Google's cloud alone", {}, { GOOGLE_APPLICATION_CREDENTIALS: "/c.json" }, "missing"],
  ["a key of Vertex AI, chosen", { "settings.json": VERTEX }, { GOOGLE_API_KEY: "k" }, "key"],
  ["a project without a location", { "settings.json": VERTEX }, { GOOGLE_CLOUD_PROJECT: "p" }, "missing"],
  [
    "a project and a location",
    { "settings.json": VERTEX },
    { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "l" },
    "key",
  ],
  ["a login with Google", { "settings.json": OAUTH, "oauth_creds.json": CREDS }, {}, "file"],
  [
    "a login with Google that was never made, beside a key",
    { "settings.json": OAUTH },
    { GEMINI_API_KEY: "k" },
    "missing",
  ],
  ["a stored key", { "gemini-credentials.json": "0a:1b:2c" }, {}, "file"],
])("Gemini is logged in by what its settings choose: %s", async (_, files, variables, is) => {
  const HOME = await temporaryDirectory();
  await mkdir(join(HOME, ".gemini"));
  for (const [name, content] of Object.entries(files)) await writeFile(join(HOME, ".gemini", name), content);

  expect(loginOf(KNOWN_AGENTS.gemini, { HOME, ...variables })).toMatchObject({ is });
  expect(loginOf(KNOWN_AGENTS.gemini, { GEMINI_CLI_HOME: HOME, ...variables })).toMatchObject({ is });
});

test("Gemini with Vertex AI may use the credentials of Google's cloud in a strict sandbox", async () => {
  const HOME = await temporaryDirectory();
  await mkdir(join(HOME, ".gemini"));
  expect(await accessOf(KNOWN_AGENTS.gemini, { HOME })).toMatchObject({ kept: [] });

  await writeFile(join(HOME, ".gemini", "settings.json"), VERTEX);
  expect(await accessOf(KNOWN_AGENTS.gemini, { HOME })).toMatchObject({ kept: [join(HOME, ".config/gcloud")] });
});

test.each([
  [{ loggedIn: false, authMethod: "none" }, "problem", "acp_login_missing", /claude-agent-acp is not logged in/],
  [
    { loggedIn: true, authMethod: "api_key", apiKeySource: "ANTHROPIC_API_KEY" },
    "ok",
    "acp_key_untried",
    /ANTHROPIC_API_KEY/,
  ],
  [{ loggedIn: true, authMethod: "claude.ai" }, "ok", "acp_login_found", /claude\.ai/],
  [{ loggedIn: true, authMethod: "third_party", apiProvider: "bedrock" }, "ok", "acp_login_found", /bedrock/],
  ["error: unknown option --cli", "ok", "acp_login_unknown", /cannot be seen/],
])("claude-agent-acp is asked itself whether it is logged in: %j", async (status, state, code, message) => {
  const environment = await machine();
  const script = join(environment.HOME, "script.json");
  const said = typeof status === "string" ? status : JSON.stringify(status);
  const answer = `if [ "$*" = "--cli auth status --json" ]; then echo '${said}'; exit 1; fi`;
  await writeFile(script, "{}");
  const program = `#!/bin/sh\n${answer}\nexec '${process.execPath}' '${ACP_PROGRAM}' '${script}'\n`;
  await writeFile(join(environment.HOME, "bin", "claude-agent-acp"), program, { mode: 0o755 });
  const configuration = { agent: { acp: "claude-agent-acp" } } as unknown as Configuration;

  const need = { configuration, project: "/", environment, roles: ["executor"] } as const;
  const [, login] = (await knownBackends["claude-agent-acp"].examine?.(need)) ?? [];

  expect(login).toMatchObject({ state, code });
  expect(login && findingText(login, "en").message).toMatch(message);
});

test("an agent that does not speak the protocol is told of, with what it said", async () => {
  const found = await examined(await machine({ exits: 1, last_words: "broken pipe dream" }));

  expect(found).toMatchObject([
    { state: "problem", code: "acp_broken", message: expect.stringMatching(/broken pipe dream/) },
  ]);
});
