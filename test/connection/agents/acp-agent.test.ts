import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { KnownAgent } from "../../../src/connection/agents/acp/known-agent.ts";
import { COMMON_MODES, KNOWN_AGENTS } from "../../../src/connection/agents/acp/known-agents.ts";
import { message } from "../../../src/model/message.ts";
import { acpBox, acpProgram, type Sent } from "./acp-support.ts";
import { assign, hear, only } from "./support.ts";

const DONE = { say: '{"status": "done"}' };
const judge = (prompt = "Is it done?") => assign({ role: "judge", prompt, system_prompt: "You judge." });

function pids(sent: readonly Sent[]): number[] {
  return [...new Set(sent.map(({ pid }) => pid))];
}

describe("sessions and processes", () => {
  test("one process gives several answers, each in a session of its own that knows nothing of the others", async () => {
    const box = await acpBox({ prompts: [[DONE]] });
    const agent = box.agent();
    agent.prepare?.(assign());

    await hear(agent, judge("FIRST"));
    await hear(agent, judge("SECOND"));
    agent.prepare?.(judge());
    await hear(agent, assign({ prompt: "THIRD" }));
    await hear(agent, judge("FOURTH"));

    const prompts = await box.sentTo("session/prompt");
    expect(prompts.map(({ sessionId }) => sessionId)).toEqual(["session-1", "session-2", "session-3", "session-4"]);
    const texts = await box.prompts();
    expect(texts.map((text) => /FIRST|SECOND|THIRD|FOURTH/g.exec(text))).toHaveLength(4);
    expect(texts[3]).not.toMatch(/FIRST|SECOND|THIRD/);
    expect(pids(await box.sent())).toHaveLength(1);
    await agent.close?.();
    expect(box.alive()).toEqual([]);
  });

  test("an executor's process is not kept where nothing is expected", async () => {
    const box = await acpBox({ prompts: [[DONE]] });
    const agent = box.agent();

    await hear(agent, assign());

    expect(box.alive()).toEqual([]);
  });

  test("a process whose executor left something running is ended with it", async () => {
    const box = await acpBox({ prompts: [[{ run: "setsid tail -f /dev/null >/dev/null 2>&1 &" }, DONE]] });
    const agent = box.agent();
    agent.prepare?.(judge());

    await hear(agent, assign());

    expect(box.alive()).toEqual([]);
  });

  test("answers at the same time come from several processes", async () => {
    const box = await acpBox({ prompts: [[{ wait: 300 }, DONE]] });
    const agent = box.agent();

    const both = await Promise.all([hear(agent, judge("A")), hear(agent, judge("B"))]);

    expect(both.map(({ reply }) => reply.structured)).toEqual([{ status: "done" }, { status: "done" }]);
    expect(pids(await box.sent())).toHaveLength(2);
  });

  test("a role works in an empty directory, which is gone afterwards; a reviewer in the one that it reads", async () => {
    const box = await acpBox({ prompts: [[{ run: "ls -a | wc -l" }, DONE]] });
    const agent = box.agent();
    const { reply } = await hear(agent, judge());
    await hear(agent, assign({ role: "reviewer", reads: box.project }));
    await agent.close?.();

    const [first, second] = (await box.sentTo("session/new")).map(({ cwd }) => String(cwd));
    expect(first).not.toBe(box.project);
    expect(reply.tool_results?.[0]?.output.trim()).toBe("2");
    expect(existsSync(first ?? "")).toBe(false);
    expect(second).toBe(box.project);
  });

  test("prepared, it starts before it is asked, and asks nothing", async () => {
    const box = await acpBox();
    const agent = box.agent();

    agent.prepare?.(assign());
    await expect.poll(async () => (await box.sent()).length, { timeout: 20_000 }).toBeGreaterThan(0);

    expect((await box.sent()).map(({ method }) => method)).toEqual(["initialize"]);
    await agent.close?.();
    expect(box.alive()).toEqual([]);
  });
});

describe("what it is told of the work", () => {
  test("texts, tool calls and the plan become events as they happen", async () => {
    const box = await acpBox({
      prompts: [
        [
          { say: "I lo" },
          { say: "ok." },
          {
            update: { sessionUpdate: "plan", entries: [{ content: "Look", status: "in_progress", priority: "high" }] },
          },
          { run: "echo one; echo two", call: "1" },
          { edit: "src/a.txt", content: "new", call: "2" },
          DONE,
        ],
      ],
    });

    const { events, reply } = await hear(box.agent(), assign());

    expect(only(events, "text").map(({ text }) => text)).toEqual(["I look."]);
    expect(only(events, "tool-call").map(({ tool, detail }) => [tool, detail])).toEqual([
      ["Plan", "0/1 Look"],
      ["Bash", "echo one; echo two"],
      ["Write", join(box.project, "src/a.txt")],
    ]);
    expect(reply.tools_used).toEqual(["Bash(echo)", "Write"]);
    expect(reply.files_modified).toEqual(["src/a.txt"]);
    expect(reply.tool_results).toEqual([
      {
        tool: "Bash",
        detail: "echo one; echo two",
        is_command: true,
        ending: "done",
        output: "one\ntwo\n",
        is_cut: false,
      },
    ]);
    expect(await readFile(join(box.project, "src/a.txt"), "utf8")).toBe("new\n");
  });

  test("tokens and cost come from the agent, tokens alone get their price, and nothing is made up", async () => {
    const usage = { totalTokens: 1130, inputTokens: 1000, outputTokens: 30, cachedReadTokens: 100 };
    const cost = { sessionUpdate: "usage_update", used: 5, size: 10, cost: { amount: 0.25, currency: "USD" } };
    const reported = await acpBox({ prompts: [[{ update: cost }, DONE, { end: { usage } }]] });
    const counted = await acpBox({ prompts: [[DONE, { end: { _meta: { usage } } }]] });
    const silent = await acpBox({ prompts: [[DONE]] });
    const prices = { default: { input: 1, output: 10 } };

    const [first, second, third] = await Promise.all([
      hear(reported.agent(), assign()),
      hear(counted.agent({ prices }), assign()),
      hear(silent.agent({ prices }), assign()),
    ]);

    expect(first.reply.usage).toMatchObject({ tokens: 1030, cost_usd: 0.25 });
    expect(second.reply.usage).toMatchObject({ tokens: 1030, cost_usd: (1100 + 300) / 1e6 });
    expect(third.reply.usage).toMatchObject({ tokens: 0, cost_usd: 0, unknown: ["tokens", "cost"] });
    expect(first.reply.usage.unknown).toBeUndefined();
    expect(second.reply.usage.unknown).toBeUndefined();
  });

  test("all that goes to and fro is in the raw log, noise included", async () => {
    const box = await acpBox({
      banner: ["Loading …"],
      prompts: [[{ noise: "a line that is no message" }, { run: "true" }, DONE]],
    });
    const lines: string[] = [];

    await hear(box.agent({ raw_log: async (_iteration, _role, line) => void lines.push(line) }), assign());

    const types = lines.map((line) => JSON.parse(line).type);
    expect(types.at(-1)).toBe("result");
    expect(new Set(types)).toEqual(new Set(["acp", "assistant", "result"]));
    expect(lines.join("\n")).toMatch(/session\/prompt[\s\S]*a line that is no message[\s\S]*end_turn/);
  });
});

describe("modes and models", () => {
  const modes = (currentModeId: string, ...ids: string[]) => ({
    currentModeId,
    availableModes: ids.map((id) => ({ id, name: id })),
  });

  test.each([
    ["an executor gets the agent's mode for work", "dontAsk", "read-only", ["agent"]],
    ["bypassPermissions is the agent's full access", "bypassPermissions", "read-only", ["agent-full-access"]],
    ["plan writes nothing", "plan", "agent", ["read-only"]],
    ["a mode that is set already is not set again", "dontAsk", "agent", []],
  ] as const)("%s", async (_, permission_mode, current, expected) => {
    const box = await acpBox({ modes: modes(current, "read-only", "agent", "agent-full-access"), prompts: [[DONE]] });

    await hear(box.agent({ permission_mode }), assign());

    expect((await box.sentTo("session/set_mode")).map(({ modeId }) => modeId)).toEqual(expected);
  });

  const CODEX = ["read-only", "workspace-write", "agent", "agent-full-access"];
  const CLAUDE = ["auto", "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];
  const OWN = ["build", "plan"];

  test.each([
    ["Codex, any command", "workspace-write", { name: "codex", ids: CODEX }, { allowed_tools: ["Read", "Bash"] }],
    ["Codex, reading", "read-only", { name: "codex", ids: CODEX }, { allowed_tools: ["Read"] }],
    ["Codex, files", "read-only", { name: "codex", ids: CODEX }, { allowed_tools: ["Read", "Edit", "Write"] }],
    ["Codex, some commands", "read-only", { name: "codex", ids: CODEX }, { allowed_tools: ["Bash(npm test:*)"] }],
    ["Codex, a plan", "read-only", { name: "codex", ids: CODEX }, { permission_mode: "plan" }],
    [
      "Codex, acceptEdits alone",
      "read-only",
      { name: "codex", ids: CODEX },
      { allowed_tools: [], permission_mode: "acceptEdits" },
    ],
    ["Claude Code, a plan", "default", { name: undefined, ids: CLAUDE }, { permission_mode: "plan" }],
    ["Claude Code, reading", "default", { name: undefined, ids: CLAUDE }, { allowed_tools: ["Read"] }],
    ["one that has only a plan", "plan", { name: undefined, ids: OWN }, { allowed_tools: ["Read"] }],
    ["opencode, which asks", "build", { name: "opencode", ids: OWN }, { allowed_tools: ["Read"] }],
  ] as const)(
    "the mode is one in which what is not allowed is asked for: %s",
    async (_, mode, { name, ids }, options) => {
      const script = { modes: modes("begins with this", ...ids), prompts: [[DONE]] };
      const box = await acpBox(script);
      const known: KnownAgent | undefined = name && KNOWN_AGENTS[name];
      const { command } = acpProgram({ ...script, diary: box.diary });

      await hear(box.agent({ ...options, program: { ...acpProgram(script, known), command } }), assign());

      expect((await box.sentTo("session/set_mode")).map(({ modeId }) => modeId)).toEqual([mode]);
    },
  );

  test("a role gets a mode that changes nothing", async () => {
    const box = await acpBox({ modes: modes("agent", "agent", "read-only"), prompts: [[DONE]] });

    await hear(box.agent(), judge());

    expect((await box.sentTo("session/set_mode")).map(({ modeId }) => modeId)).toEqual(["read-only"]);
  });

  test("a mode that the agent lacks is named, with those that it has", async () => {
    const box = await acpBox({ modes: modes("a", "a", "b"), prompts: [[DONE]] });
    const program = { ...acpProgram({ modes: modes("a", "a", "b") }), mode: "yolo" };

    const { reply } = await hear(box.agent({ program }), assign());

    const problem = message("acp_mode_unknown", { title: "the small agent", mode: "yolo", known: ["a", "b"] });
    expect(reply.failure).toEqual({ code: "configuration", message: problem });
  });

  test("modes and models may be settings of the session", async () => {
    const select = (id: string, currentValue: string, values: string[]) => ({
      ...{ id, category: id, name: id, type: "select", currentValue },
      options: values.map((value) => ({ value, name: value })),
    });
    const configOptions = [select("mode", "read-only", ["read-only", "auto"]), select("model", "m1", ["m1", "x/m2"])];
    const box = await acpBox({ configOptions, prompts: [[DONE]] });

    await hear(box.agent(), assign({ model: "m2" }));

    const set = (await box.sentTo("session/set_config_option")).map(({ configId, value }) => [configId, value]);
    expect(set).toEqual([
      ["mode", "auto"],
      ["model", "x/m2"],
    ]);
  });

  test("a model that the agent lacks is named, with those that it has", async () => {
    const models = { currentModelId: "a", availableModels: [{ modelId: "a", name: "A" }] };
    const box = await acpBox({ models, prompts: [[DONE]] });

    const { reply } = await hear(box.agent(), assign({ model: "sonnet" }));

    const problem = message("acp_model_unknown", { title: "the small agent", model: "sonnet", known: ["a"] });
    expect(reply.failure).toEqual({ code: "configuration", message: problem });
    expect(await box.prompts()).toEqual([]);
  });

  test("every known agent has modes that its own list or the common one knows", () => {
    for (const { modes: own } of Object.values(KNOWN_AGENTS))
      expect(Object.keys(own)).toEqual(Object.keys(COMMON_MODES));
  });
});
