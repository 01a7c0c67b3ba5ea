import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonIn } from "../../src/model/json.ts";
import { ACP_PROGRAM, type Sent } from "../connection/agents/acp-support.ts";
import { acpSandbox, HANDED_IN, say, spent } from "../support/acp-sandbox.ts";
import { quickSandbox } from "../support/in-process.ts";

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

const WORK = [{ edit: "a.txt", content: "hello" }, { write: "b/b.txt", content: "by us" }, say(HANDED_IN), spent(100)];

const MET = judgment(true);
const [EVALUATION] = MET.evaluations;

/** What a judge may say that is no judgment, or one that meets nothing. */
const GARBAGE = [
  ...["", " ", "null", "true", "42", '"yes"', "[]", "{}", "{", "}{", "met", "\u0000\u0001\ufffd", "{".repeat(200_000)],
  ...["is_complete: true\nevaluations: []", "<judgment><is_complete>true</is_complete></judgment>"],
  JSON.stringify(MET).slice(0, -1),
  JSON.stringify(MET).replaceAll('"', "'"),
  `// yes\n${JSON.stringify(MET).replace("}", ",}")}`,
  `\`\`\`json\n${JSON.stringify(MET).slice(0, 40)}\n\`\`\``,
  Buffer.from(JSON.stringify(MET)).toString("base64"),
  JSON.stringify(JSON.stringify(MET)),
  JSON.stringify({ is_complete: true }),
  JSON.stringify({ ...MET, evaluations: [] }),
  JSON.stringify({ ...MET, evaluations: {} }),
  JSON.stringify({ ...MET, evaluations: [{ ...EVALUATION, is_met: "true" }] }),
  JSON.stringify({ ...MET, evaluations: [{ ...EVALUATION, is_met: 1 }] }),
  JSON.stringify({ ...MET, evaluations: [{ ...EVALUATION, id: 7, criterion: "Something else" }] }),
  JSON.stringify({ ...MET, evaluations: [EVALUATION, { ...EVALUATION, is_met: false }] }),
  JSON.stringify({ ...MET, is_complete: "true" }),
  JSON.stringify({ result: MET, is_complete: false }),
  `${JSON.stringify(judgment(false))}\n${JSON.stringify(MET)}`,
  `{"__proto__": ${JSON.stringify(MET)}}`,
];

function inGroups(texts: readonly string[], size: number): string[][] {
  return texts.flatMap((_, index) => (index % size === 0 ? [texts.slice(index, index + size)] : []));
}

describe("a run with an agent over ACP alone", () => {
  test("takes all roles; garbage is asked for again with what is wrong, and once only", async () => {
    const { e8, write, read, records, agent } = await acpSandbox({
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

  test("judges beside a program that comes before it in the list of agents", async () => {
    const { e8, write, records, agent } = await acpSandbox({ judge: [[say(MET)], [say(MET)]] });
    const program = { command: "echo hello > a.txt; echo done" };
    const task = { task: "Write a.txt", criteria: ["a.txt says hello"], agents: [program, agent], intake: false };
    await write("task.yaml", JSON.stringify({ ...task, proof: "none" }));

    const { code, stderr } = await e8(["run", "--config", "task.yaml"]);

    expect(code, stderr).toBe(0);
    expect(await records()).toContainEqual(expect.objectContaining({ type: "judgment", is_complete: true }));
  });

  test("a summary of garbage is made without a model, and a judge of garbage meets nothing", async () => {
    const { e8, write, records, agent } = await acpSandbox({
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

  test.each(inGroups(GARBAGE, 6))("no garbage of a judge calls anything met: group %#", async (...group) => {
    const works = group.map((_, index) => [{ edit: "a.txt", content: `hello ${index}` }, say(HANDED_IN)]);
    const { e8, write, records, agent, home } = await acpSandbox({
      executor: works,
      judge: group.map((text) => [say(text)]),
    });
    const task = { task: "Write a.txt", criteria: ["a.txt says hello"], agent, intake: false, proof: "none" };
    const more = { max_iterations: group.length, stall_limit: null, models: { summarizer: "none" } };
    await write("task.yaml", JSON.stringify({ ...task, ...more }));

    const { code } = await e8(["run", "--config", "task.yaml"]);

    expect(code).toBe(1);
    const judgments = (await records()).flatMap((record) => (record.type === "judgment" ? [record] : []));
    expect(judgments).toHaveLength(group.length);
    expect(judgments.every(({ is_complete }) => is_complete === false)).toBe(true);
    expect(JSON.stringify(judgments)).not.toContain('"is_met":true');
    const sent = (await readFile(join(home, "diary"), "utf8"))
      .split("\n")
      .flatMap((line) => jsonIn(line) ?? []) as Sent[];
    const judged = sent.filter(({ params }) => /endless8-role: judge/.test(JSON.stringify(params ?? {})));
    expect(new Set(judged.map(({ pid }) => pid)).size).toBe(1); // one process goes through the whole group
    expect(judged.length).toBeGreaterThanOrEqual(group.length);
  });

  test("budgets that it cannot hold are told of at the start, and so is what it cannot do", async () => {
    const { e8, write, agent } = await acpSandbox({ executor: [WORK] });
    await write(
      "task.yaml",
      JSON.stringify({ task: "Write a.txt", criteria: [{ type: "command", command: "true" }], agent }),
    );
    const flags = ["run", "--config", "task.yaml", "--max-cost", "1", "--max-tokens", "5k", "--no-review"];

    const dry = await e8([...flags, "--dry-run"]);
    const json = await e8([...flags, "--dry-run", "--json"]);

    expect(dry.stdout).toMatch(
      /acp:.* can:\n {2}give an answer of a given form\n[\s\S]*acp:.* cannot:\n[\s\S]*\n {2}be kept from every forbidden tool call$/m,
    );
    expect(dry.stdout).toMatch(/may not say what it costs.*the cost budget cannot hold it/);
    expect(dry.stdout).toMatch(/models\.judge +"default"/);
    expect(JSON.parse(json.stdout).abilities[0].can).toContain("fresh_context");
    expect(JSON.parse(json.stdout).notices.map(({ code }: { code: string }) => code)).toEqual([
      "agent_cost_unknown",
      "agent_tokens_unknown",
    ]);
  });

  describe("that must be logged in first", () => {
    const api_key = { id: "api-key", name: "API key" };
    async function codexBox(offered: object[]) {
      const { home, write, read, env, ...sandbox } = await quickSandbox();
      const script = join(home, "script.json");
      const diary = join(home, "diary");
      const bin = join(home, "bin");
      await mkdir(bin);
      await writeFile(script, JSON.stringify({ prompts: [WORK], needs_login: true, auth_methods: offered, diary }));
      const words = [process.execPath, ACP_PROGRAM, script].map((word) => `'${word}'`);
      await writeFile(join(bin, "codex-acp"), `#!/bin/sh\nexec ${words.join(" ")}\n`, { mode: 0o755 });
      const task = { task: "Write a.txt", criteria: [{ type: "command", command: "test -f a.txt" }], agent: "codex" };
      await write("task.yaml", JSON.stringify({ ...task, models: { summarizer: "none" } }));
      const flags = ["run", "--config", "task.yaml", "--no-intake", "--no-review"];
      const run = (more: Record<string, string>, args = flags) =>
        sandbox.e8(args, { env: { ...env, PATH: `${bin}:${env.PATH}`, OPENAI_API_KEY: undefined, ...more } });
      return { run, read, home };
    }

    test.each(["OPENAI_API_KEY", "CODEX_API_KEY"])("is logged in with the key in %s", async (name) => {
      const { run, read, home } = await codexBox([{ id: "chat-gpt", name: "ChatGPT" }, api_key]);

      const { code, stderr } = await run({ [name]: "sk-fake" });

      expect(code, stderr).toBe(0);
      expect(await read("a.txt")).toMatch(/hello/);
      const sent = (await readFile(join(home, "diary"), "utf8")).split("\n").flatMap((line) => jsonIn(line) ?? []);
      const logins = (sent as Sent[]).filter(({ method }) => method === "authenticate");
      expect(logins.map(({ params }) => params)).toEqual([{ methodId: "api-key" }]);
    });

    test.each([
      ["without a key", [api_key], {}],
      ["where it offers no way for a key", [{ id: "chat-gpt", name: "ChatGPT" }], { OPENAI_API_KEY: "sk-fake" }],
    ])("names its own command %s", async (_, offered, more) => {
      const { run } = await codexBox(offered);

      const { code, stdout } = await run(more);

      expect(code).toBe(2);
      expect(stdout).toMatch(/Codex is not logged in: Authentication required/);
      expect(stdout).toMatch(/Run `codex login`, or set one of CODEX_API_KEY, OPENAI_API_KEY/);
      expect(stdout).not.toMatch(/claude|ANTHROPIC/i);
    });
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
