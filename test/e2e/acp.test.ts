import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ACP_PROGRAM } from "../connection/agents/acp-support.ts";
import { quickSandbox } from "../support/in-process.ts";

const result = {
  status: "success",
  output: "It is written.",
  artifacts: ["a.txt"],
  semantic_metadata: { approach: "Wrote the file.", strategy_tags: ["write"], discoveries: [] },
};
const summary = {
  approach: "Wrote the file.",
  strategy_tags: ["write"],
  reason: "It is done.",
  artifacts: ["a.txt"],
  discoveries: [],
  knowledge: [],
};
const judgment = (is_met: boolean) => ({
  is_complete: is_met,
  evaluations: [{ id: 1, criterion: "a.txt says hello", is_met, evidence: "It says hello.", confidence: 0.9 }],
  overall_reason: "It says hello.",
  suggested_next_action: "",
});
const say = (answer: unknown) => ({ say: typeof answer === "string" ? answer : JSON.stringify(answer) });
const spent = (tokens: number) => ({ end: { usage: { totalTokens: tokens, inputTokens: tokens, outputTokens: 0 } } });

const WORK = [{ edit: "a.txt", content: "hello" }, { write: "b/b.txt", content: "by us" }, say(result), spent(100)];

async function box(roles: object) {
  const sandbox = await quickSandbox();
  await sandbox.write("script.json", JSON.stringify({ roles, diary: join(sandbox.home, "diary") }));
  const agent = { acp: { command: [process.execPath, ACP_PROGRAM, join(sandbox.project, "script.json")] } };
  return { ...sandbox, agent };
}

describe("a run with an agent over ACP alone", () => {
  test("takes all roles; garbage is asked for again with what is wrong, and once only", async () => {
    const { e8, write, read, records, agent } = await box({
      executor: [WORK],
      summarizer: [
        [say("Here you are:"), say("I would rather not.")],
        [say("```json\n"), say(summary), say("\n```")],
      ],
      judge: [[say({ is_complete: "yes" })], [say("My verdict: "), say(judgment(true))]],
    });
    const task = { task: "Write a.txt", criteria: ["a.txt says hello"], agent, intake: false, proof: "none" };
    await write("task.yaml", JSON.stringify(task));

    const { code, stdout, stderr } = await e8(["run", "--config", "task.yaml", "-V"]);
    expect(code).toBe(0);
    expect(await read("b/b.txt")).toBe("by us");
    const history = await records();
    expect(history.map(({ type }) => type)).toEqual(["summary", "judgment", "final_result"]);
    expect(history[0]).toMatchObject({
      approach: "Wrote the file.",
      metadata: { files_modified: ["a.txt", "b/b.txt"] },
    });
    expect(stderr.match(/asking again/g)).toHaveLength(2);
    expect(stderr).toMatch(/→ Write: .*a\.txt/);
    expect(stdout).toMatch(/tokens: at least 100 +cost: unknown/);
  });

  test("a summary of garbage is made without a model, and a judge of garbage meets nothing", async () => {
    const { e8, write, records, agent } = await box({
      executor: [WORK],
      summarizer: [[say("{")]],
      judge: [[say("[]")]],
    });
    const task = {
      task: "Write a.txt",
      criteria: ["a.txt says hello"],
      agent,
      intake: false,
      proof: "none",
      max_iterations: 1,
    };
    await write("task.yaml", JSON.stringify(task));

    const { code } = await e8(["run", "--config", "task.yaml"]);

    expect(code).toBe(1);
    expect((await records()).find(({ type }) => type === "judgment")).toMatchObject({ is_complete: false });
  });

  test("budgets that it cannot hold are told of at the start, and so is what it cannot do", async () => {
    const { e8, write, agent } = await box({ executor: [WORK] });
    await write(
      "task.yaml",
      JSON.stringify({ task: "Write a.txt", criteria: [{ type: "command", command: "true" }], agent }),
    );
    const flags = ["run", "--config", "task.yaml", "--max-cost", "1", "--max-tokens", "5k", "--no-review"];

    const dry = await e8([...flags, "--dry-run"]);
    const json = await e8([...flags, "--dry-run", "--json"]);

    expect(dry.stdout).toMatch(
      /acp:.* cannot:\n {2}hold its answers to a schema by itself\n[\s\S]*\n {2}be kept from every forbidden tool call$/m,
    );
    expect(dry.stdout).toMatch(/may not say what it costs.*the cost budget cannot hold it/);
    expect(dry.stdout).toMatch(/models\.judge +"default"/);
    expect(JSON.parse(json.stdout).abilities.can).toContain("fresh_context");
    expect(JSON.parse(json.stdout).notices.map(({ code }: { code: string }) => code)).toEqual([
      "agent_cost_unknown",
      "agent_tokens_unknown",
    ]);
  });

  test("an agent that is not installed is told of before anything begins, with what to type", async () => {
    const { e8, tasks } = await quickSandbox();

    const { code, stderr } = await e8(["run", "Write", "--check", "true", "--agent", "codex"]);

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /Codex was not found: there is no codex-acp on the PATH.*npm install -g @agentclientprotocol\/codex-acp/s,
    );
    expect(await tasks()).toEqual([]);
  });
});
