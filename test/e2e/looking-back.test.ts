import { expect, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { sandbox } from "../support/sandbox.ts";
import { accepts, judges, summarizes, works } from "../support/stories.ts";

const TASK = `task: 挨拶を書く
criteria:
  - greeting.txt greets the reader
  - {type: command, command: grep Hello greeting.txt}
knowledge: .e8/knowledge.jsonl
logging: {raw_log: true}
`;

const twoRounds = story(
  accepts("greeting.txt greets the reader"),
  works("All done", use("Write", { file_path: "greeting.txt", content: "hm\n" })),
  summarizes("wrote hm", {
    knowledge: [{ type: "discovery", category: "files", content: "greeting.txt is plain text" }],
  }),
  judges(false, [{ id: 1, is_met: false, evidence: "hm is no greeting" }]),
  works("wrote Hello", use("Bash", { command: "echo Hello > greeting.txt; echo 書いた" })),
  summarizes("it reads Hello"),
  judges(true, [{ id: 1, is_met: true }]),
);

test("a run of the real Claude Code can be looked back at from every side", async () => {
  const box = await sandbox(twoRounds);
  await box.write("task.yaml", TASK);
  const ended = await box.e8(["run", "--config", "task.yaml"]);
  expect(ended.code, ended.stderr).toBe(0);
  const [id = ""] = await box.tasks();
  const out = async (...args: string[]) => {
    const { code, stdout, stderr } = await box.e8(args);
    expect(code, stderr).toBe(0);
    return stdout;
  };

  expect(await out("list")).toMatch(/ completed +2\/10 +2\/2 +\$\d.* +挨拶を書く\n$/);

  const shown = await out("show", id);
  expect(shown).toMatch(/1\. greeting\.txt greets the reader ✘ ✔\n.*2\. grep Hello greeting\.txt +✘ ✔\n/);
  expect(shown).toMatch(/^files changed: 1, \+1\n {2}new {2}greeting\.txt {2}\+1$/m);
  for (const role of ["intake", "executor", "summarizer", "judge"])
    expect(shown).toMatch(new RegExp(`^${role} +\\d+ +\\$`, "m"));

  const logs = await out("logs", id, "--iteration", "2");
  expect(logs).toMatch(
    /^iteration 2, executor\n[\s\S]*→ Bash: echo Hello > greeting\.txt; echo 書いた\n {2}← 書いた\n/,
  );
  expect(logs).toMatch(/Σ \d+ turns? {2}\d+ tokens in, \d+ out[\s\S]*^iteration 2, judge\n/m);

  const asked = await out("query", "select status, criteria_met, tokens > 0 as spent from tasks", "--json");
  expect(JSON.parse(asked)).toEqual([{ status: "completed", criteria_met: 2, spent: true }]);

  expect(await out("knowledge", "search", "plain text")).toMatch(/discovery +files +greeting\.txt is plain text/);
});
