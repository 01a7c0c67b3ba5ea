import { describe, expect, test } from "vitest";
import { acpSandbox, HANDED_IN, say, spent } from "../support/acp-sandbox.ts";
import { resultOf } from "../support/sandbox.ts";

const PRICES = { default: { input: 1000, output: 2000 } };
const CHECKS_ONLY = { intake: false, proof: "none", review: false, models: { summarizer: "none" } };

function work(file: string) {
  return [{ edit: file, content: "hello" }, say(HANDED_IN), spent(1000)];
}

describe("an agent that counts its tokens, and knows no prices", () => {
  test("costs what `prices` says: in the report, in JSON and in show", async () => {
    const { e8, write, agent } = await acpSandbox({ executor: [work("a.txt")] });
    const criteria = [{ type: "command", command: "test -f a.txt" }];
    await write("task.yaml", JSON.stringify({ task: "Write a.txt", criteria, agent, prices: PRICES, ...CHECKS_ONLY }));

    const dry = await e8(["run", "--config", "task.yaml", "--dry-run"]);
    const ended = await e8(["run", "--config", "task.yaml"]);
    const shown = await e8(["show"]);

    expect(dry.code).toBe(0);
    expect(dry.stdout).toMatch(/prices\.default\.input +1000/);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/tokens: 1000 +cost: \$1\.00/);
    expect(shown.stdout).toContain("$1.00");
    expect(shown.stdout).not.toContain("unknown");
  });

  test("has its run ended by a cost budget", async () => {
    const { e8, write, agent } = await acpSandbox({ executor: [work("a.txt"), work("b.txt"), work("c.txt")] });
    const criteria = [{ type: "command", command: "test -f c.txt" }];
    const task = { task: "Write c.txt", criteria, agent, budget: { cost_usd: 1.5 }, ...CHECKS_ONLY };
    await write("task.yaml", JSON.stringify(task));
    await write("endless8.yaml", JSON.stringify({ prices: PRICES }));

    const ended = await e8(["run", "--config", "task.yaml", "--json"]);

    expect(resultOf(ended)).toMatchObject({ stop_reason: "budget_cost", iterations_used: 2, usage: { cost_usd: 2 } });
    expect(resultOf(ended).usage).not.toHaveProperty("unknown");
  });

  test("may be one that takes over, with a model of its own", async () => {
    const { e8, write, agent } = await acpSandbox({ executor: [work("a.txt")] });
    const criteria = [{ type: "command", command: "test -f a.txt" }];
    const agents = [{ command: "exit 1" }, { agent, model: "gpt-6" }];
    const prices = { "gpt-6": { input: 2000, output: 0 } };
    await write("script.json", JSON.stringify({ roles: { executor: [work("a.txt")] }, ...GPT_6 }));
    await write("task.yaml", JSON.stringify({ task: "Write a.txt", criteria, agents, prices, ...CHECKS_ONLY }));

    const ended = await e8(["run", "--config", "task.yaml", "--json"]);

    expect(resultOf(ended)).toMatchObject({ status: "completed", usage: { cost_usd: 2 } });
  });
});

describe("what an agent does not say is unknown, never 0:", () => {
  const free = {
    update: { sessionUpdate: "usage_update", used: 100, size: 1000, cost: { amount: 0, currency: "USD" } },
  };
  const paid = { update: { ...free.update, cost: { amount: 0.25, currency: "USD" } } };
  const none = { end: { usage: { totalTokens: 0, inputTokens: 0, outputTokens: 0 } } };

  test.each([
    ["counts and costs of 0", [free, say(HANDED_IN), none], /tokens: unknown +cost: unknown/],
    ["an answer without counts that is paid for", [paid, say(HANDED_IN)], /tokens: unknown +cost: \$0\.25/],
    ["a crash in the middle of an answer that was paid for", [paid, { crash: 1 }], /cost: at least \$0\.25/],
  ])("%s", async (_, acts, told) => {
    const { e8, write, agent } = await acpSandbox({ executor: [acts] });
    const criteria = [{ type: "command", command: "false" }];
    const task = { task: "Write a.txt", criteria, agent, max_iterations: 1, ...CHECKS_ONLY };
    await write("task.yaml", JSON.stringify(task));

    const ended = await e8(["run", "--config", "task.yaml"]);

    expect(ended.stdout).toMatch(told);
  });
});

const GPT_6 = { models: { currentModelId: "gpt-5", availableModels: ["gpt-5", "gpt-6"].map(named) } };

function named(modelId: string) {
  return { modelId, name: modelId };
}
