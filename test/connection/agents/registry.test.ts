import { expect, test } from "vitest";
import {
  type BackendName,
  backendFor,
  backends,
  capabilitiesOf,
  chosenBackend,
  configurationIn,
  needsOf,
} from "../../../src/connection/agents/registry.ts";
import type { AgentChoice } from "../../../src/model/configuration.ts";
import { Role } from "../../../src/model/roles.ts";
import { PLAIN_CONFIGURATION } from "../../support/plain-configuration.ts";

test.each<[string, AgentChoice, Record<Role, BackendName>]>([
  [
    "Claude Code",
    "claude",
    { intake: "claude", executor: "claude", summarizer: "claude", judge: "claude", reviewer: "claude" },
  ],
  [
    "a scripted agent",
    { scripted: "s" },
    { intake: "scripted", executor: "scripted", summarizer: "scripted", judge: "scripted", reviewer: "scripted" },
  ],
  [
    "a program, which can only work: the default agent takes the other roles",
    { command: "x" },
    { intake: "claude", executor: "command", summarizer: "claude", judge: "claude", reviewer: "claude" },
  ],
  [
    "an agent over ACP, which has no need of another login",
    "codex",
    { intake: "codex", executor: "codex", summarizer: "codex", judge: "codex", reviewer: "codex" },
  ],
  [
    "an agent over ACP that is not known by name",
    { acp: { command: ["x"] } },
    { intake: "acp", executor: "acp", summarizer: "acp", judge: "acp", reviewer: "acp" },
  ],
])("who answers in each role beside %s", (_name, agent, expected) => {
  const found = Role.options.map((role) => [role, backendFor(role, "m", agent)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test.each<[AgentChoice, BackendName]>([
  [{ acp: "claude-agent-acp" }, "claude-agent-acp"],
  [{ acp: "/opt/bin/claude-agent-acp --verbose" }, "claude-agent-acp"],
  [{ acp: { command: "A=1 npx -y @zed-industries/claude-agent-acp@0.23.1" } }, "claude-agent-acp"],
  [
    { acp: { command: ["node", "/x/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js"] } },
    "claude-agent-acp",
  ],
  [{ acp: { command: ["codex-acp", "-c", "x=y"] } }, "codex"],
  [{ acp: "gemini --acp -m gemini-2.5-pro" }, "gemini"],
  [{ acp: "my-agent --as claude-agent-acp" }, "acp"],
  [{ acp: "claude" }, "acp"],
  [{ acp: "node ./claude-agent-acp.mjs" }, "acp"],
])("%j is an agent of the kind %s", (choice, kind) => {
  expect(chosenBackend(choice)).toBe(kind);
});

test.each<[AgentChoice[], BackendName]>([
  [["codex", "gemini"], "codex"],
  [[{ command: "x" }, "codex", "gemini"], "codex"],
  [[{ command: "x" }, { command: "y" }], "claude"],
])("of the agents %j, the first that can answers in the roles: %s", (list, expected) => {
  const [agent = "claude", ...others] = list;
  const configuration = {
    ...PLAIN_CONFIGURATION,
    agent,
    fallbacks: others.map((one) => ({ agent: one, model: null })),
  };
  const needs = needsOf(Role.options, { configuration, project: "/", environment: {} });
  const needed = needs.filter(([backend, { roles }]) => backend === backends[expected] && roles.length > 0);

  expect(backendFor("judge", "m", configurationIn("judge", configuration).agent)).toBe(expected);
  expect(needed).toHaveLength(1); // it is looked for once
  expect(needed[0]?.[1].roles).toContain("judge");
  if (expected !== "claude") expect(needed[0]?.[1].configuration.agent).toBe(expected);
  const asksClaude = needs.some(([backend, { roles }]) => backend === backends.claude && roles.length > 0);
  expect(asksClaude).toBe(expected === "claude");
});

test("a role whose model is a vendor's is asked over the API; the executor never is", () => {
  expect(Role.options.filter((role) => backendFor(role, "openai:a", "claude") === "api")).toEqual(
    Role.options.filter((role) => role !== "executor"),
  );
  expect(backendFor("judge", "m", "claude")).toBe("claude");
});

test("a program's tool calls cannot be refused, and its answer is not checked by a schema", () => {
  expect(capabilitiesOf({ command: "x" })).toMatchObject({ withholds_tools: false, structured_answers: false });
});
