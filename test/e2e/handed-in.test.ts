import { expect, test } from "vitest";
import { fault, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickScripted } from "../support/in-process.ts";
import { judges, summarizes, works } from "../support/stories.ts";

/** The specification's example, with a task of its own and its raw log kept. */
const EXAMPLE = `# task.yaml
task: "プロンプト最適化に関する論文を検索"
criteria:
  - "3件以上の関連論文を発見し、概要をまとめる"

# オプション
max_iterations: 10
persist: ".e8/history.jsonl"
knowledge_context_size: 10        # 参照するナレッジの件数（デフォルト: 10）
history_context_size: 5           # 直近N件の履歴を参照（デフォルト: 5）

# ログオプション（3層構造）
logging:
  raw_log: true              # 生ログを保存（デフォルト: false）
  raw_log_dir: ".e8/logs"    # 生ログ保存先

# claude コマンドオプション
claude_options:
  allowed_tools:
    - "Read"
    - "Edit"
    - "Write"
    - "Bash(git:*)"
    - "Bash(uv:*)"
    - "mcp__context7__*"
  model: "sonnet"
  output_format: "stream-json"  # サマリエージェントが解析するため
  verbose: true

# エージェントプロンプトのカスタマイズ
prompts:
  judgment: |
    以下の基準で完了条件を厳密に評価してください：
    - テストが実際に実行され、すべてパスしていること
    - エラーログや警告がないこと
    - 指定された条件が明確に満たされていること

  # 実行エージェントに意図・発見の報告を指示（セマンティックメタデータ取得用）
  append_system_prompt: |
    各作業の最後に、以下のJSON形式で報告してください：
    \`\`\`json
    {"strategy_tags": ["タグ1"], "approach": "アプローチの説明", "discoveries": ["発見1"]}
    \`\`\`
`;

const REPORT = `論文を三件まとめました。

\`\`\`json
{"strategy_tags": ["文献検索"], "approach": "arXiv を検索した", "discoveries": ["arXiv には API がある"]}
\`\`\`
`;

test("[FR-025] the report that the specification's task.yaml asks for is read beside the structured answer", async () => {
  const metadata = { approach: "要旨を読んだ", strategy_tags: ["要約"], discoveries: ["三件目は査読前"] };
  const structured = { status: "success", output: "論文は三件です。", artifacts: [], semantic_metadata: metadata };
  const { e8, write, read, records, tasks } = await quickScripted(
    story(
      scene("executor", { say: REPORT, answer: structured }),
      summarizes("三件の概要がある"),
      judges(true, [{ id: 1, is_met: true, evidence: "三件ある" }]),
    ),
  );
  await write("task.yaml", EXAMPLE);

  const ended = await e8(["run", "--config", "task.yaml", "--no-intake", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  const [id] = await tasks();
  expect((await records())[0]).toMatchObject({
    metadata: { strategy_tags: ["要約", "文献検索"] },
    raw_log_path: `.e8/logs/${id}/iteration-001.jsonl`,
  });
  const learned = await read(`.e8/tasks/${id}/knowledge.jsonl`);
  for (const discovery of metadata.discoveries.concat("arXiv には API がある")) expect(learned).toContain(discovery);
});

test("a worker that crashes after a good text does not replace it: every text is kept, and the next worker can read the last one", async () => {
  const settings = { models: { summarizer: "none" } };
  const { e8, read, records, tasks, asked, plays, project } = await quickScripted(
    story(works("論文は三件です。")),
    settings,
  );
  await e8(["run", "論文を探す", "--check", "false", "-n", "1"]);
  const [id] = await tasks();
  const folder = `.e8/tasks/${id}`;
  await plays(story(scene("executor", { say: "四件目を探します。", ...use("Bash", { command: "true" }) }, fault(400))));
  await e8(["run", "--resume", "-n", "2"]);

  expect(await read(`${folder}/output.md`)).toBe("論文は三件です。");
  expect(await read(`${folder}/outputs/001.md`)).toBe("論文は三件です。");
  expect(await read(`${folder}/outputs/002.md`)).toBe("四件目を探します。");
  expect((await records()).filter(({ type }) => type === "summary")).toMatchObject([
    { artifacts: [`${folder}/output.md`], output_path: `${folder}/outputs/001.md` },
    { metadata: { error_type: "crashed" }, artifacts: [], output_path: `${folder}/outputs/002.md` },
  ]);

  const named = `${project}/${folder}/output.md`;
  await plays(story(works("論文は四件です。", use("Read", { file_path: named }))));
  await e8(["run", "--resume", "-n", "3"]);

  expect((await asked("executor")).at(-1)?.text).toContain(`It is in `);
  expect((await asked("executor")).at(-1)?.text).toContain(named);
  expect(await read(`${folder}/logs/iteration-003.jsonl`)).toMatch(/"type":"tool_result".*論文は三件です。/);
  expect(await read(`${folder}/output.md`)).toBe("論文は四件です。");
});

test("[FR-006, FR-026] the summarizer is shown what commands printed and what files hold, beside what the worker claims", async () => {
  const { e8, asked } = await quickScripted(
    story(
      works(
        "All 12 tests pass.",
        use("Bash", { command: "echo '1 failed'; exit 1" }),
        use("Write", { file_path: "notes.txt", content: "to do\n" }),
      ),
      summarizes("One test fails."),
    ),
  );

  await e8(["run", "Mend the tests", "--check", "true"]);

  const [summarizer] = await asked("summarizer");
  const prompt = JSON.parse(summarizer?.text ?? "").messages[0].content[0].text;
  expect(prompt).toContain("> All 12 tests pass.");
  expect(prompt).toContain("- Bash (failed)\n> $ echo '1 failed'; exit 1\n> Exit code 1\n> 1 failed\n");
  expect(prompt).toContain("- notes.txt\n> to do\n");
});
