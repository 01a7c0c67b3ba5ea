import { expect, test } from "vitest";
import { abilitiesOf, ignoredSettings, lackedAbilities, settingNotices } from "../../src/compose/agent-abilities.ts";
import { spendingNotices } from "../../src/compose/spending.ts";
import { DEFAULT_CLAUDE_SETTINGS } from "../../src/connection/agents/claude/settings.ts";
import type { Worker } from "../../src/model/configuration.ts";
import { PLAIN_CONFIGURATION } from "../support/plain-configuration.ts";

const DEFAULT = { ...PLAIN_CONFIGURATION, claude_options: DEFAULT_CLAUDE_SETTINGS };
const budget = { cost_usd: 1, tokens: 1000, minutes: null };
const program: Worker = { agent: { command: "./b" }, model: null };

test("a budget that one agent cannot hold is told of, whether it is to work first, in its turn, or in a step", () => {
  const configuration = { ...PLAIN_CONFIGURATION, budget };
  const unknown = ["agent_cost_unknown", "agent_tokens_unknown"].map((code) => ({
    code,
    params: { agent: "command:./b" },
  }));

  expect(spendingNotices(configuration)).toEqual([]);
  expect(spendingNotices({ ...configuration, agent: program.agent })).toMatchObject(unknown);
  expect(spendingNotices({ ...configuration, fallbacks: [program, program] })).toMatchObject(unknown);
  expect(spendingNotices({ ...configuration, escalate_to: program })).toMatchObject(unknown);
  expect(spendingNotices(configuration, [program.agent])).toMatchObject(unknown);
});

test("a setting that an agent ignores in its turn is told of", () => {
  const configuration = { ...DEFAULT, skills_dir: "skills", fallbacks: [program] };

  expect(ignoredSettings(configuration)).toMatchObject([
    { code: "agent_ignores", params: { agent: "command:./b", keys: "skills_dir" } },
  ]);
});

test.each<[Worker["agent"], string]>([
  ["claude", ""],
  ["codex", "claude_options.max_turns"],
  [
    { command: "./b" },
    "mcp_servers, claude_options.allowed_tools, claude_options.permission_mode, claude_options.max_turns",
  ],
])("options that have no effect on %j are told of: %s", (agent, keys) => {
  const claude_options = {
    allowed_tools: ["Read"],
    permission_mode: "plan",
    max_turns: { ...DEFAULT_CLAUDE_SETTINGS.max_turns, execution: 5 },
  };
  const given = { ...DEFAULT, agent, mcp_servers: { docs: true as const } };

  const told = ignoredSettings({
    ...given,
    claude_options: { ...DEFAULT_CLAUDE_SETTINGS, ...claude_options },
  });

  expect(told).toMatchObject(keys === "" ? [] : [{ code: "agent_ignores", params: { keys } }]);
  expect(ignoredSettings({ ...DEFAULT, agent })).toEqual([]);
});

test("what an agent cannot do as Claude Code does is told of; a plain program is what its user made it", () => {
  const lacked = (agent: Worker["agent"], fallbacks: Worker[] = []) =>
    lackedAbilities({ ...PLAIN_CONFIGURATION, agent, fallbacks });
  const ofOpencode = {
    code: "agent_lacks",
    params: {
      agent: "opencode",
      abilities: ["reports_tokens", "tells_limits", "withholds_tools", "takes_claude_setup"],
    },
  };

  expect(lacked("claude")).toEqual([]);
  expect(lacked({ command: "./b" })).toEqual([]);
  expect(lacked("opencode")).toEqual([ofOpencode]);
  expect(lacked("claude", [{ agent: "opencode", model: null }])).toEqual([ofOpencode]);
  expect(lackedAbilities(PLAIN_CONFIGURATION, ["opencode"])).toEqual([ofOpencode]); // of a step
  expect(lacked("codex")).toMatchObject([
    { params: { abilities: ["reports_cost", "withholds_tools", "takes_claude_setup"] } },
  ]);
});

test.each<[Worker["agent"], boolean]>([
  ["claude", true],
  ["codex", true],
  [{ acp: "claude-agent-acp" }, true],
  [{ scripted: "story.yaml" }, true],
  [{ acp: "my-agent --acp" }, false],
  [{ command: "./b" }, false],
])("what a strict sandbox does not open for %j is told of, and nothing of it in another sandbox", (agent, isOpened) => {
  const strict = { ...DEFAULT, agent, sandbox: "strict" as const };
  const [named] = abilitiesOf(strict);
  const codes = settingNotices(strict).map(({ code }) => code);

  expect(isOpened ? named?.can : named?.cannot).toContain("opened_in_strict");
  expect(codes.includes("agent_closed_in")).toBe(!isOpened);
  expect(settingNotices(DEFAULT, [agent]).map(({ code }) => code)).not.toContain("agent_closed_in");
  expect(settingNotices({ ...DEFAULT, sandbox: "strict" }, [agent])).toHaveLength(isOpened ? 0 : 1); // of a step
  const [open] = abilitiesOf({ ...DEFAULT, agent });
  expect([...(open?.can ?? []), ...(open?.cannot ?? [])]).not.toContain("opened_in_strict");
});

test("the list of abilities is complete, for a plain program as for Codex", () => {
  const [codex, plain] = abilitiesOf({ ...PLAIN_CONFIGURATION, agent: "codex", fallbacks: [program] });
  const always = ["changes_seen", "ends_in_time", "ends_whole", "raw_log", "in_sandbox", "fresh_context"];

  expect(codex?.can).toEqual(
    expect.arrayContaining([...always, "shows_calls", "priced_by_tokens", "takes_permissions"]),
  );
  expect(codex?.cannot.toSorted()).toEqual(["limits_turns", "reports_cost", "takes_claude_setup", "withholds_tools"]);
  expect(plain?.can.toSorted()).toEqual(always.toSorted());
});

test("what each of those that may work can do is told, once for each agent", () => {
  const fallbacks: Worker[] = ["codex", "claude"].map((agent) => ({ agent, model: "large" }));
  const told = abilitiesOf({ ...PLAIN_CONFIGURATION, agent: "claude", fallbacks, escalate_to: program });

  expect(told.map(({ agent }) => agent)).toEqual(["claude", "codex", "command:./b"]);
  expect(told.map(({ cannot }) => cannot.includes("withholds_tools"))).toEqual([false, true, true]);
  expect(abilitiesOf(PLAIN_CONFIGURATION, ["codex", "claude"]).map(({ agent }) => agent)).toEqual(["claude", "codex"]);
});
