import { expect, test } from "vitest";
import { scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickScripted } from "../support/in-process.ts";
import { judges, summarizes } from "../support/stories.ts";

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
  expect((await records())[0]).toMatchObject({ metadata: { strategy_tags: ["要約", "文献検索"] } });
  const [id] = await tasks();
  const learned = await read(`.e8/tasks/${id}/knowledge.jsonl`);
  for (const discovery of metadata.discoveries.concat("arXiv には API がある")) expect(learned).toContain(discovery);
});
