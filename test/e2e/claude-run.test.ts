import { describe, expect, test } from "vitest";
import { answer, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { RecordedRequest } from "../../src/connection/agents/scripted/model/recording.ts";
import { resultOf, type Sandbox, sandbox, scriptedSandbox } from "../support/sandbox.ts";
import { accepts, always, judges, report, summarizes, works } from "../support/stories.ts";

/** Everything the model was sent in a request, as text. */
function sent(request: RecordedRequest | undefined): string {
  return JSON.stringify(request?.body ?? {});
}

/** The opening request of each conversation of one role, in order. */
function openings({ model }: Sandbox, who: string): RecordedRequest[] {
  const ours = model.requests.filter((request) => request.who === who);
  return ours.filter(({ body }) => !JSON.stringify(body).includes('"role":"assistant"'));
}

/** Every executor knows the last judgment and nothing of the conversation before. */
function expectFreshContexts(box: Sandbox): void {
  const [first, second] = openings(box, "executor");
  expect(sent(first)).not.toContain("hm is no greeting");
  expect(sent(second)).toContain("hm is no greeting");
  expect(sent(second)).toContain("write Hello");
  expect(sent(second)).toContain("exit code 1");
  expect(sent(second)).toContain("wrote hm into greeting.txt");
  const later = box.model.requests.slice(box.model.requests.indexOf(second as RecordedRequest));
  expect(later.map(sent).join()).not.toContain("SECRET-OF-ROUND-ONE");
}

/** The summary joins the summarizer's words with mechanical facts, and knowledge reaches the next worker. */
async function expectSummaryAndKnowledge(box: Sandbox): Promise<void> {
  const [summary] = await box.records();
  expect(summary).toMatchObject({
    type: "summary",
    iteration: 1,
    result: "success",
    reason: "wrote hm into greeting.txt",
    metadata: { tools_used: ["Write"], files_modified: ["greeting.txt"], strategy_tags: ["test"], error_type: null },
  });
  expect(summary?.type === "summary" && summary.metadata.tokens_used).toBeGreaterThan(0);
  const [id] = await box.tasks();
  expect(await box.read(`.e8/tasks/${id}/knowledge.jsonl`)).toContain("greeting.txt is plain text");
  expect(sent(openings(box, "executor")[1])).toContain("greeting.txt is plain text");
  expect(sent(openings(box, "summarizer")[0])).toContain("greeting.txt greets the reader");
  expect(sent(openings(box, "summarizer")[0])).toContain("- greeting.txt\\n> hm\\n");
  expect(sent(openings(box, "summarizer")[1])).toContain("- Read\\n> greeting.txt\\n");
}

describe("a task with a sentence and a check", () => {
  const twoRounds = story(
    accepts("greeting.txt greets the reader"),
    works(
      "SECRET-OF-ROUND-ONE All done <promise>COMPLETE</promise>",
      use("Write", { file_path: "greeting.txt", content: "hm\n" }),
    ),
    summarizes("wrote hm into greeting.txt", {
      next: { suggested_action: "greet properly" },
      knowledge: [{ type: "discovery", category: "files", content: "greeting.txt is plain text" }],
    }),
    judges(false, [{ id: 1, is_met: false, evidence: "hm is no greeting" }], "write Hello"),
    works(
      "wrote Hello",
      use("Read", { file_path: "greeting.txt" }),
      use("Write", { file_path: "greeting.txt", content: "Hello\n" }),
    ),
    summarizes("greeting.txt now reads Hello"),
    judges(true, [{ id: 1, is_met: true, evidence: "it reads Hello" }]),
  );
  const run = [
    "run",
    "Write a greeting",
    "-c",
    "greeting.txt greets the reader",
    "--check",
    "grep Hello greeting.txt",
    "--json",
  ];

  test("[FR-001] [FR-004] [FR-005] [FR-006] [FR-007] [FR-008] [FR-009] [FR-013] [FR-020] [FR-021] [FR-025] [FR-026] [FR-032] [FR-033] [SC-001] lets the real Claude Code work in fresh contexts until judge and check agree, and records every step", async () => {
    const box = await sandbox(twoRounds);

    const ended = await box.e8(run);

    expect(ended.code, ended.stderr).toBe(0);
    expect(box.model.unmatched).toBe(0);
    expect(await box.read("greeting.txt")).toBe("Hello\n");
    expect(resultOf(ended)).toMatchObject({
      status: "completed",
      iterations_used: 2,
      final_judgment: {
        is_complete: true,
        evaluations: [
          { id: 1, is_met: true, evidence: "it reads Hello", source: "judge" },
          { id: 2, is_met: true, source: "command" },
        ],
      },
    });
    expect((await box.records()).map(({ type }) => type)).toEqual([
      ...["summary", "judgment", "summary", "judgment", "final_result"],
    ]);
    expectFreshContexts(box);
    await expectSummaryAndKnowledge(box);
  });

  test("[FR-028] [FR-034] progress goes to stderr with tool calls and texts, the report to stdout", async () => {
    const box = await scriptedSandbox(twoRounds);

    const ended = await box.e8([...run.filter((word) => word !== "--json"), "--verbose"]);

    expect(ended.stderr).toMatch(/→ Write: .*greeting\.txt/);
    expect(ended.stderr).toMatch(/iteration 2 of 10/);
    expect(ended.stdout).toMatch(/completed: every criterion is met/);
    expect(ended.stdout).toMatch(/✔ met {2}1\. greeting\.txt greets the reader\n\s+it reads Hello/);
    expect(ended.stdout).toMatch(/iterations: 2 {3}tokens: \d+ {3}time: \d/); // a scripted model costs nothing
    expect(ended.stdout).toMatch(
      /^files changed: 1, \+1\n {2}new {2}greeting\.txt {2}\+1\n[\s\S]*^the worker's last text: .*output\.md$/m,
    );
  });
});

test("texts of the worker are shown up to 80 characters with --verbose [FR-034]", async () => {
  const long = `${"word ".repeat(30)}end`;
  const box = await scriptedSandbox(
    story(scene("executor", { say: long, use: [{ tool: "Bash", input: { command: "true" } }] }, report("ok"))),
  );

  const ended = await box.e8(["run", "Anything", "--check", "true", "-V"]);

  const shown = /📝 (.*)/.exec(ended.stderr)?.[1] ?? "";
  expect(shown).toMatch(/^word word/);
  expect([...shown].length).toBe(80);
});

test("if every criterion is a check, neither intake nor judge is asked, and the summary needs no model when it is set to none", async () => {
  const box = await scriptedSandbox(story(works("did it")));
  await box.write(
    "task.yaml",
    "task: Anything\ncriteria: [{type: command, command: 'true'}]\nmodels: {summarizer: none}\n",
  );

  const ended = await box.e8(["run", "--config", "task.yaml", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(await box.asked("executor")).toHaveLength(1);
  for (const role of ["intake", "summarizer", "judge"]) expect(await box.asked(role)).toEqual([]);
  expect((await box.records())[0]).toMatchObject({ reason: "did it", approach: "approach of: did it" });
});

test("[FR-019] prompts.judgment reaches the judge, append_system_prompt the executor, and the model of each role is the one configured", async () => {
  const box = await scriptedSandbox(
    story(works("did it"), summarizes("did it"), judges(true, [{ id: 1, is_met: true }])),
  );
  await box.write(
    "task.yaml",
    [
      "task: Anything",
      "criteria: [it is done]",
      "intake: false",
      "prompts:",
      "  judgment: |",
      "    JUDGE-BY-THIS",
      "  append_system_prompt: WORK-LIKE-THIS",
      "models: {executor: claude-opus-4-5, summarizer: claude-haiku-4-5, judge: claude-sonnet-4-5}",
    ].join("\n"),
  );

  const ended = await box.e8(["run", "--config", "task.yaml", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(await box.asked("judge")).toMatchObject([
    { model: "claude-sonnet-4-5", text: expect.stringContaining("JUDGE-BY-THIS") },
  ]);
  expect(await box.asked("executor")).toMatchObject([
    { model: "claude-opus-4-5", text: expect.stringContaining("WORK-LIKE-THIS") },
  ]);
  expect(await box.asked("summarizer")).toMatchObject([{ model: "claude-haiku-4-5" }]);
});

test("a research task in Japanese: its text is kept in output.md and listed, and mechanical evidence is Japanese, too", async () => {
  const text = "プロンプト最適化の論文は三件見つかりました。";
  const box = await scriptedSandbox(
    story(
      accepts("三件以上の論文の概要がある"),
      works(text),
      summarizes("三件の概要がある"),
      judges(true, [{ id: 1, is_met: true, evidence: "三件ある" }]),
    ),
  );

  const ended = await box.e8([
    "run",
    "論文を調べてまとめる",
    "-c",
    "三件以上の論文の概要がある",
    "--check",
    "true",
    "--json",
  ]);

  const result = resultOf(ended);
  const [id] = await box.tasks();
  expect(await box.read(`.e8/tasks/${id}/output.md`)).toBe(text);
  expect(result.artifacts).toContain(`.e8/tasks/${id}/output.md`);
  expect(result.final_judgment?.evaluations[1]).toMatchObject({ outcome: { code: "command_exited" } });
  expect((await box.e8(["show", "--lang", "ja"])).stdout).toContain("終了コード 0");
});

test("[FR-018] the raw stream of every answer is kept when asked for", async () => {
  const box = await scriptedSandbox(story(works("did it"), summarizes("did it")), { logging: { raw_log: false } });
  await box.write(
    "task.yaml",
    "task: Anything\ncriteria: [{type: command, command: 'true'}]\nlogging: {raw_log: true}\n",
  );

  await box.e8(["run", "--config", "task.yaml"]);

  const [id] = await box.tasks();
  const lines = (await box.read(`.e8/tasks/${id}/logs/iteration-001.jsonl`)).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(expect.arrayContaining(["system", "assistant", "result"]));
});

test("a hidden check: the worker learns its description and that it failed, never its command or output", async () => {
  const box = await scriptedSandbox(story(always(works("did it")), always(summarizes("did it"))));
  await box.write(
    "task.yaml",
    [
      "task: Anything",
      "criteria:",
      "  - {type: command, command: 'echo SECRET-OUTPUT; exit 1', description: the acceptance test passes, hidden: true}",
      "max_iterations: 2",
    ].join("\n"),
  );

  await box.e8(["run", "--config", "task.yaml"]);

  const [, second] = await box.asked("executor");
  expect(second?.text).toContain("the acceptance test passes");
  expect(second?.text).toContain("This check failed");
  const prompts = [...(await box.asked("executor")), ...(await box.asked("summarizer"))];
  expect(prompts.map(({ text }) => text).join()).not.toContain("SECRET-OUTPUT");
});

test("the executor's own answer in plain text still counts as work", async () => {
  const box = await scriptedSandbox(
    story(scene("executor", { say: "I looked around." }, { say: "That is all." }), summarizes("looked around")),
  );

  const ended = await box.e8(["run", "Anything", "--check", "true", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect((await box.records())[0]).toMatchObject({ result: "success" });
});

test("[FR-002] [FR-003] an ambiguous criterion leads to questions; unanswered, nothing is executed; answered, the work begins", async () => {
  const questions = [
    { question: "How fast is fast?", context: "It decides the work.", suggested_answers: ["100 ms", "1 s"] },
  ];
  const box = await scriptedSandbox(
    story(
      scene(
        "intake",
        answer({ status: "needs_clarification", task: "", criteria: [], clarification_questions: questions }),
      ),
    ),
  );

  const asked = await box.e8(["run", "Make it fast", "-c", "it is fast enough", "--json"]);

  expect(asked.code).toBe(4);
  expect(resultOf(asked)).toMatchObject({ status: "clarification_needed", clarification_questions: questions });
  expect(await box.asked("executor")).toEqual([]);
  const [id = ""] = await box.tasks();
  expect((await box.e8(["answer", id])).code).toBe(2);

  await box.plays(
    story(
      accepts("answers within 100 ms"),
      works("made it fast"),
      summarizes("answers within 80 ms"),
      judges(true, [{ id: 1, is_met: true }]),
    ),
  );
  const answered = await box.e8(["answer", id, "-a", "1", "--json"]);

  expect(answered.code, answered.stderr).toBe(0);
  expect((await box.asked("intake"))[1]?.text).toContain("100 ms");
  expect((await box.asked("executor"))[0]?.text).toContain("answers within 100 ms");
  expect((await box.e8(["show", id])).stdout).toMatch(/it is fast enough\n.*answers within 100 ms/);
});
