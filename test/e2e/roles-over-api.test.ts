import { describe, expect, test } from "vitest";
import { answer, fault, say, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { answers, byProgram, install, says, writeAgent } from "../support/agents.ts";
import { countingClaude } from "../support/counting-claude.ts";
import { quickSandbox } from "../support/in-process.ts";
import { resultOf, type Sandbox, sandbox } from "../support/sandbox.ts";
import { accepts, always, judges, summarizes, works } from "../support/stories.ts";

/** Everything is asked of the one scripted model, each role over an API of its own. */
function rolesOverApi({ model }: Sandbox) {
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "sk-openai-fake-key" };
  const models = {
    intake: "anthropic:claude-sonnet-4-5",
    summarizer: `openai-compatible:org/qwen3:8b@${model.url}/v1`,
    judge: "openai:gpt-5",
  };
  return { env, models };
}

async function writeTask(box: Sandbox, settings: Record<string, unknown> = {}) {
  const { models, env } = rolesOverApi(box);
  const criteria = ["greeting.txt greets the reader", { type: "command", command: "grep Hello greeting.txt" }];
  await box.write("task.yaml", JSON.stringify({ task: "挨拶を書く", criteria, models, ...settings }));
  return { env };
}

const RUN = ["run", "--config", "task.yaml", "--json"];

test("intake, summarizer and judge of three vendors look at the work of the real Claude Code", async () => {
  const box = await sandbox(
    story(
      accepts("greeting.txt greets the reader"),
      works("All done", use("Write", { file_path: "greeting.txt", content: "hm\n" })),
      summarizes("wrote hm"),
      judges(false, [{ id: 1, is_met: false, evidence: "hm is no greeting" }]),
      works("wrote Hello", use("Bash", { command: "echo Hello > greeting.txt" })),
      summarizes("it reads Hello"),
      judges(true, [{ id: 1, is_met: true }]),
    ),
  );
  const { executable, starts } = await countingClaude(box.home);
  const { env } = await writeTask(box, {
    claude_options: { executable },
    max_iterations: 2,
    logging: { raw_log: true },
    prices: { "openai:gpt-5": { input: 1000, output: 1000 } },
  });

  const ended = await box.e8(RUN, { env });

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
  expect(await starts()).toBe(1); // the executor's, which is kept: nobody else gets ready as a process
  const clients = box.model.requests.map(({ who, headers }) => `${who} ${headers["user-agent"]}`);
  expect(clients).toEqual([
    expect.stringMatching(/^intake .*ai-sdk\/anthropic/),
    ...[1, 2].map(() => expect.stringMatching(/^executor claude-cli/)),
    expect.stringMatching(/^summarizer .*ai-sdk\/openai-compatible/),
    expect.stringMatching(/^judge .*ai-sdk\/openai/),
    ...[1, 2].map(() => expect.stringMatching(/^executor claude-cli/)),
    expect.stringMatching(/^summarizer .*ai-sdk\/openai-compatible/),
    expect.stringMatching(/^judge .*ai-sdk\/openai/),
  ]);

  const judge = box.model.requests.filter(({ who }) => who === "judge").map(({ body }) => JSON.stringify(body));
  expect(judge[1]).toContain("it reads Hello");
  expect(judge[1]).not.toContain("wrote hm");

  const [id = ""] = await box.tasks();
  const shown = (await box.e8(["show", id])).stdout;
  expect(shown).toMatch(/^judge +240 +\$0\.24/m);
  expect(shown).toMatch(/^summarizer +240 +unknown/m);
  const logs = (await box.e8(["logs", id])).stdout;
  expect(logs).toMatch(
    /^iteration 1, judge\n {2}openai:gpt-5\n {2}📝 \{"is_complete":false.*\n {2}Σ 1 turn {2}100 tokens in, 20 out/m,
  );
  expect(logs).not.toContain("sk-");
});

describe("without any Claude Code", () => {
  const command = "cat > /dev/null; echo Hello > greeting.txt; echo wrote it";
  const settings = { agent: { command }, claude_options: { executable: "./no claude here" } };

  test("a program works and the API's models judge: no other process is started", async () => {
    const box = await quickSandbox(
      story(
        accepts("greeting.txt greets the reader"),
        summarizes("it reads Hello"),
        judges(true, [{ id: 1, is_met: true }]),
      ),
    );
    const { env } = await writeTask(box, settings);

    const ended = await box.e8(RUN, { env });

    expect(ended.code, ended.stderr).toBe(0);
    expect(box.model.requests.map(({ who }) => who)).toEqual(["intake", "summarizer", "judge"]);
  });

  test.each([
    ["contradicts itself", judges(true, [{ id: 1, is_met: false }])],
    ["gives no evidence", judges(true, [{ id: 1, is_met: true, evidence: " " }])],
    ["says only words", scene("judge", say("All done! <promise>COMPLETE</promise>"))],
    ["is empty", judges(true, [])],
    ["does not fit the schema", scene("judge", answer({ is_complete: "yes" }))],
  ])("a judge whose answer %s never completes a task", async (_, judge) => {
    const box = await quickSandbox(story(always(summarizes("wrote it")), always(judge)));
    const { env } = await writeTask(box, { ...settings, intake: false, max_iterations: 1 });

    const ended = await box.e8(RUN, { env });

    expect(ended.code, ended.stderr).toBe(1);
    expect(resultOf(ended)).toMatchObject({ status: "max_iterations", final_judgment: { is_complete: false } });
    expect(box.model.requests.filter(({ who }) => who === "judge")).toHaveLength(2);
  });

  test("trouble that passes is waited for; a key that is refused ends the run and names its variable", async () => {
    const box = await quickSandbox(
      story(
        scene("summarizer", fault({ status: 429, retry_after: 1 }), answer({ approach: "a", reason: "wrote Hello" })),
        scene("judge", fault(401)),
      ),
    );
    const { env } = await writeTask(box, { ...settings, intake: false });

    const ended = await box.e8(RUN, { env });

    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/waiting until/);
    expect(resultOf(ended)).toMatchObject({
      error_code: "authentication",
      hint: expect.stringContaining("OPENAI_API_KEY"),
    });
  });

  test("beside a cost budget, a model without a price is noticed once", async () => {
    const box = await quickSandbox(
      story(
        always(summarizes("wrote it")),
        judges(false, [{ id: 1, is_met: false }]),
        judges(true, [{ id: 1, is_met: true }]),
      ),
    );
    const agent = { command: "cat > /dev/null; echo Hello >> greeting.txt; echo wrote it" }; // unchanged work is not judged again
    const { env } = await writeTask(box, { ...settings, agent, intake: false, budget: { cost_usd: 1 } });

    const ended = await box.e8(RUN, { env });

    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr.match(/The price of openai:gpt-5 is unknown/g)).toHaveLength(1);
    const japanese = await box.e8([...RUN, "--lang", "ja"], { env });
    expect(japanese.stderr).toMatch(/openai:gpt-5 の料金が分からない/);
  });
});

test.each(["openai:gpt-5", "openai-compatible:qwen3@http://127.0.0.1:9/v1", "anthropic:claude-sonnet-4-5"])(
  "with --script, a judge over %s is played from the story, too",
  async (judge) => {
    const box = await quickSandbox();
    await writeAgent(box, {
      completion: { type: "criteria", config: { criteria: ["It is done"] } },
      steps: [{ id: "closure.task", go: { closing: null, repeat: "closure.task" }, more: byProgram }],
    });
    await answers(box, says("closing"), says("closing"));
    await box.write("endless8.yaml", `models: {judge: '${judge}'}\n`);
    const words = [false, true].map((is_met) => judges(is_met, [{ id: 1, is_met }]));
    await box.write("story.json", JSON.stringify(story(...words)));

    const ended = await box.e8(["agent", "run", "small", "--json", "--script", "story.json"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
  },
);

describe("a key that is not there", () => {
  const run = ["run", "x", "-c", "it is done", "--judge-model", "openai:gpt-5"];

  test("is reported before anything starts, with the variable to set", async () => {
    const box = await quickSandbox();

    for (const args of [run, [...run, "--dry-run"]]) {
      const ended = await box.e8(args);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toMatch(/openai:gpt-5 \(judge\)[\s\S]*OPENAI_API_KEY/);
    }
    expect((await box.e8([...run, "--lang", "ja"])).stderr).toMatch(/OPENAI_API_KEY が必要です/);
    expect(await box.tasks()).toEqual([]);
    expect(box.model.requests).toEqual([]);
  });

  test("is not needed for an unused role", async () => {
    const box = await quickSandbox();
    await box.write(
      "endless8.yaml",
      "models: {judge: 'openai:gpt-5', intake: 'openai:gpt-5'}\nagent: {command: 'true'}\n",
    );

    expect((await box.e8(["run", "x", "--check", "true"])).code).toBe(0);
  });

  test("is reported on resume, too", async () => {
    const box = await quickSandbox(story(judges(false, [{ id: 1, is_met: false }])));
    await box.write("endless8.yaml", "agent: {command: 'true'}\nmodels: {judge: 'openai:gpt-5'}\nintake: false\n");
    const { env } = rolesOverApi(box);
    expect((await box.e8(["run", "x", "-c", "it is done", "-n", "1"], { env })).code).toBe(1);

    const ended = await box.e8(["run", "--resume", "-n", "2"]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("OPENAI_API_KEY");
    expect(await box.records()).toMatchObject([{ type: "summary" }, { type: "judgment" }, { type: "final_result" }]);
  });

  test("is reported for an agent whose completion asks the judge", async () => {
    const box = await quickSandbox();
    await install(box, "examples/agents", "readme-writer");
    await box.write("endless8.yaml", "models: {judge: 'openai:gpt-5'}\n");

    const ended = await box.e8(["agent", "run", "readme-writer"]);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("OPENAI_API_KEY");
    expect(box.model.requests).toEqual([]);
  });

  test("is a problem for e8 doctor; one that is there is not shown", async () => {
    const box = await quickSandbox();
    await box.write("endless8.yaml", "models: {judge: 'openai:gpt-5'}\n");

    const [without, with_] = [
      await box.e8(["doctor"]),
      await box.e8(["doctor"], { env: { OPENAI_API_KEY: "sk-very-secret" } }),
    ];

    expect(without.code).toBe(2);
    expect(without.stdout).toMatch(/✘ openai:gpt-5: OPENAI_API_KEY is not set\n {2}→ Set it/);
    expect(with_.stdout).toMatch(/✔ openai:gpt-5: key from OPENAI_API_KEY/);
    expect(with_.stdout).not.toContain("sk-very-secret");
  });
});
