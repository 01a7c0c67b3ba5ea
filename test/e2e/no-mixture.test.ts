import { describe, expect, test } from "vitest";
import { answer, fault, scene, story, use } from "../../src/connection/models/scripted/builders.ts";
import { type AgentSketch, answers, byProgram, install, says, writeAgent } from "../support/agents.ts";
import { englishLines, japaneseLines } from "../support/prose.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";
import { always, judges } from "../support/stories.ts";

const WORKER = ["--agent-command", "echo できた", "--no-intake", "-n", "1"];

interface Reading {
  env?: Record<string, string | undefined>;
  /** Words of other programs and of the user's files. */
  quoted?: readonly string[];
}

/** What a Japanese reader is told while it runs, and afterwards by `show` and `list`. */
async function told(box: Sandbox, args: string[], { env = {}, quoted = [] }: Reading = {}): Promise<string> {
  const ja = (...words: string[]) => box.e8(["--lang", "ja", ...words], { env });
  const run = await ja(...args);
  const [id = ""] = await box.tasks();
  const said = [run, ...(id ? [await ja("show", id), await ja("list")] : [])];
  const whole = said.map(({ stdout, stderr }) => stderr + stdout).join("\n");
  expect(whole).not.toContain("[object Object]");
  expect(englishLines(without(whole, [box.home, ...quoted])), whole).toEqual([]);
  expect(japaneseLines(run.stdout + run.stderr)).not.toEqual([]);
  return whole;
}

function without(text: string, parts: readonly string[]): string {
  return parts.reduce((left, part) => left.replaceAll(part, "·"), text);
}

describe("a task of somebody who writes English, read in Japanese", () => {
  test.each([
    { check: "echo broken; exit 3", says: "終了コード 3（" },
    { check: "kill -9 $$", says: "シグナル SIGKILL で終了" },
    { check: "sleep 9", says: "1 秒でタイムアウトし" },
  ])("the evidence of `$check`", async ({ check, says }) => {
    const box = await sandbox();
    await box.write("endless8.yaml", "command_timeout: 1\n");
    const whole = await told(box, ["run", "Say-hello", "--check", check, ...WORKER], { quoted: [check] });

    expect(whole).toContain(says);
    expect(whole).toContain("理由: 1 件中 1 件のチェックが失敗した。");
    const [, judgment] = await box.records();
    expect(judgment).toMatchObject({ overall_reason: "The check failed." });
  });

  test.each([
    { command: "echo oh-no >&2; exit 3", says: "は終了コード 3 で終了しました: oh-no" },
    { command: "kill -9 $$", says: "はシグナル SIGKILL で終了しました" },
    { command: "true", says: "エージェントは何も報告せずに終了した。" },
    { command: "sleep 9", says: "1 秒のあいだ何の反応もありませんでした" },
  ])("a worker that fails: `$command`", async ({ command, says }) => {
    const box = await sandbox();
    await box.write("endless8.yaml", "silence_timeout: 1\n");
    const whole = await told(box, ["run", "Say-hello", "--check", "false", "--agent-command", command, "-n", "1"]);

    expect(whole).toContain(says);
    const [summary] = await box.records();
    expect(summary).toMatchObject({ result: "error", reason: expect.stringMatching(/^The agent /) });
  });

  test("and one in Japanese is read in English", async () => {
    const box = await sandbox();
    await box.e8(["run", "挨拶する", "--check", "exit 3", "--agent-command", "exit 4", "-n", "1"]);
    const { stdout } = await box.e8(["show", ...(await box.tasks())]);

    expect(japaneseLines(stdout.replaceAll(box.home, ""))).toEqual(["  挨拶する"]);
    expect(stdout).toContain("exit code 3 after");
    expect(stdout).toContain("The agent did not finish (crashed): `exit 4` exited with code 4");
    expect(await box.records()).toMatchObject([{ approach: expect.stringContaining("終了コード 4") }, {}, {}]);
  });
});

describe("settings that keep the agent from starting", () => {
  test.each([
    { settings: { claude_options: { executable: "./none" } }, says: "はプログラムではありません" },
    { settings: { skills_dir: "none" }, says: "はディレクトリではありません" },
    { settings: { mcp_servers: ["nowhere"] }, says: "その名前の MCP サーバーは設定されていません" },
    { settings: { claude_options: { executable: "/bin/false" } }, says: "Claude Code が終了コード 1 で終了しました" },
    { settings: { working_directory: "none" }, says: "ディレクトリ" },
  ])("$settings", async ({ settings, says }) => {
    const box = await sandbox();
    await box.write("endless8.yaml", JSON.stringify(settings));

    expect(await told(box, ["run", "挨拶する", "--check", "true", "-n", "1"])).toContain(says);
  });

  test("a program that is no agent", async () => {
    const quoted = ["command not found"];
    const box = await sandbox();
    const whole = await told(box, ["run", "挨拶する", "--check", "true", "--agent-command", "no-such"], { quoted });

    expect(whole).toContain("`no-such` は終了コード 127 で終了しました");
  });
});

test("a key that is refused", async () => {
  const quoted = ["Invalid API key · Fix external API key"];
  const box = await sandbox(story(always(scene("executor", fault(401)))));
  const whole = await told(box, ["run", "挨拶する", "--check", "true", "-n", "1"], { quoted });

  expect(whole).toContain(`エージェントがログインできません: ${quoted[0]}`);
});

describe("a judge whose answer cannot be used", () => {
  test.each([
    { words: [], says: "条件 1 の評価がありません" },
    { words: [{ id: 1, is_met: true, evidence: "" }], says: "条件 1 が根拠なしに達成とされています" },
    {
      words: [
        { id: 1, is_met: true },
        { id: 1, is_met: false },
      ],
      says: "条件 1 の評価が互いに矛盾しています",
    },
  ])("$says", async ({ words, says }) => {
    const box = await sandbox(story(always(judges(words.length === 1, words))));
    const quoted = ["seen in the record", "all is there", "not all is there", "not ·"];
    await box.write("endless8.yaml", "models: { summarizer: none }\n");
    const whole = await told(box, ["run", "挨拶する", "-c", "挨拶がある", ...WORKER], { quoted });

    expect(whole).toContain(`判定エージェントの回答を使えないため、もう一度尋ねます（理由: ${says}）。`);
    expect(whole).toContain(`判定エージェントから使える回答が得られませんでした（理由: ${says}）。`);
  });

  test("because it is of another shape, or none at all", async () => {
    const odd = scene("judge", answer({ is_complete: "perhaps", evaluations: [], overall_reason: "" }));
    const box = await sandbox(story(always(odd)));
    const env = { OPENAI_BASE_URL: `${box.model.url}/v1`, OPENAI_API_KEY: "sk-fake-key-of-a-test" };
    const models = { summarizer: "none", judge: "openai:gpt-5" };
    await box.write("endless8.yaml", JSON.stringify({ models }));
    const whole = await told(box, ["run", "Say-hello", "-c", "It-greets", ...WORKER], { env });

    expect(whole).toMatch(/理由: is_complete: 無効な入力/);
    expect(whole).toContain("理由: 判定エージェントから使える回答が得られなかった: is_complete:");
  });
});

test("an intake that asks nothing and a model that says no word of JSON", async () => {
  const asksNothing = answer({ status: "needs_clarification", task: "", criteria: [], clarification_questions: [] });
  const box = await sandbox(story(always(scene("intake", asksNothing)), always(scene("judge", { say: "うーん" }))));
  const env = { OPENAI_BASE_URL: `${box.model.url}/v1`, OPENAI_API_KEY: "sk-fake-key-of-a-test" };
  const models = { intake: "openai:gpt-5", summarizer: "none", judge: "openai:gpt-5" };
  await box.write("endless8.yaml", JSON.stringify({ models, logging: { raw_log: true } }));
  const args = ["run", "挨拶する", "-c", "挨拶がある", "--agent-command", "echo できた", "-n", "1"];
  const whole = await told(box, args, { env });
  const logs = await box.e8(["--lang", "ja", "logs", ...(await box.tasks())]);

  expect(whole).toContain("確認が必要とされていますが、質問がありません");
  expect(whole).toContain("回答に JSON がありませんでした");
  expect(logs.stdout).toContain("✘ openai:gpt-5: 回答に JSON がありませんでした");
  expect(englishLines(logs.stdout)).toEqual([]);
});

describe("an agent made of steps", () => {
  const closing = { steps: [{ id: "closure.task", go: { closing: null, repeat: "closure.task" }, more: byProgram }] };
  const conditions = (validator: Record<string, unknown>, more: Record<string, unknown> = {}): AgentSketch => ({
    ...closing,
    registry: {
      validators: { proof: { ...validator, successWhen: validator.successWhen ?? "empty" } },
      completionSteps: {
        "closure.task": {
          stepId: "closure.task",
          name: "proof",
          c2: "retry",
          c3: "task",
          completionConditions: [{ validator: "proof" }],
          onFailure: { action: "retry", maxAttempts: 1 },
        },
      },
    },
    ...more,
  });

  test.each([
    { validator: { type: "command", command: "echo left" }, says: "出力が空ではありません" },
    { validator: { type: "command", command: "exit 2" }, says: "出力はありませんが、終了コードは 2 です" },
    { validator: { type: "command", command: "exit 2", successWhen: "exitCode:0" }, says: "終了コード 2（期待は 0）" },
    { validator: { type: "command", command: "echo a", successWhen: "contains:b" }, says: "出力に b がありません" },
    { validator: { type: "command", command: "echo a", successWhen: "matches:^b" }, says: "出力が ^b に一致しません" },
    { validator: { type: "command", command: "sleep 9", timeout: 300 }, says: "タイムアウトしました" },
    { validator: { type: "command", command: "kill -9 $$" }, says: "シグナル SIGKILL で終了しました" },
    { validator: { type: "command", command: "/none" }, says: "終了コード 127: コマンドを実行できません" },
    { validator: { type: "file", path: "none.md" }, says: "none.md がありません" },
  ])("refuses completion: $says", async ({ validator, says: expected }) => {
    const box = await sandbox();
    await writeAgent(box, conditions(validator));
    await answers(box, says("closing"));

    const quoted = ["No such file or directory", "The step", "A small agent", "says closing"];
    expect(await told(box, ["agent", "run", "small"], { quoted })).toContain(`proof: ${expected}`);
    const [, result] = await box.records();
    expect(result).toMatchObject({ error_details: { problem: { en: expect.not.stringMatching(/[ぁ-ん]/) } } });
  });

  test.each([
    { module: "export default 3;", says: "モジュールの default export が関数ではありません" },
    { module: "export const a = 3;", says: "default export がありません" },
    { module: "export default () => { throw new Error('boom'); };", says: "モジュールが失敗しました: boom" },
    { module: "export default () => false;", says: "モジュールが不成立と判断しました" },
  ])("refuses completion by a module: $says", async ({ module, says: expected }) => {
    const box = await sandbox();
    const custom = { type: "custom", handlerPath: "proof.mjs" };
    await writeAgent(box, conditions(custom, { files: { "proof.mjs": module } }));
    await answers(box, says("closing"));

    const quoted = ["The step", "A small agent", "says closing"];
    expect(await told(box, ["agent", "run", "small"], { quoted })).toContain(expected);
  });

  test("puts things right on the way, and says what it still waits for", async () => {
    const box = await sandbox();
    const lenient = { failFast: false, fallbackIntent: "repeat" };
    const text = { type: "string" };
    const schema = { type: "object", properties: { stepId: text, summary: text, next_action: LOOSE } };
    const step = { id: "initial.task", go: { next: "closure.task", repeat: "initial.task" }, gate: lenient, schema };
    await writeAgent(box, {
      completion: { type: "stepMachine", config: { maxIterations: 1 } },
      steps: [{ ...step, more: byProgram }, ...closing.steps],
    });
    await answers(box, { stepId: "wrong", summary: "できた" });
    const whole = await told(box, ["agent", "run", "small"], { quoted: ["The step", "A small agent"] });

    expect(whole, whole).toContain('出力の stepId は "wrong" でしたが、initial.task として記録しました。');
    expect(whole).toContain("出力の next_action.action に intent がありません。");
    expect(whole).toContain("fallbackIntent の repeat で続けました。");
    const [, judgment] = await box.records();
    expect(judgment).toMatchObject({
      flow: { deviations: [expect.stringContaining("The output called"), expect.any(String)] },
    });
  });

  test("has a program for a step that fails, or whose answer does not fit", async () => {
    const box = await sandbox();
    await writeAgent(box, { ...closing, completion: { type: "stepMachine", config: { maxIterations: 3 } } });
    await answers(box, { summary: 3, next_action: { action: "perhaps" } }, { summary: "できた" });
    const quoted = ["The step", "A small agent", "No such file or directory"];
    const whole = await told(box, ["agent", "run", "small"], { quoted });

    expect(whole).toContain("/summary: 型が string ではありません");
    expect(whole).toContain('/next_action/action: "closing"、"repeat" のどれでもありません');
    expect(whole).toContain("出力: next_action がありません");
    expect(whole).toContain("`sh`: 終了コード 1");
    expect(whole).toContain("理由: closure.task: もう一度 → closure.task");
  });

  test.each([
    { completion: { type: "keywordSignal", config: { completionKeyword: "DONE" } }, says: "応答に DONE がありません" },
    { completion: { type: "checkBudget", config: { maxChecks: 3 } }, says: "完了の確認 3 回のうち 1 回を終えました" },
    {
      completion: { type: "externalState", config: { resourceType: "file", path: "none.md" } },
      says: "ファイル の状態は MISSING で、EXISTS ではありません",
    },
    {
      completion: { type: "structuredSignal", config: { signalType: "done" } },
      says: "出力に必須の項目を備えたシグナル done がありません",
    },
    {
      completion: { type: "criteria", config: { criteria: [{ type: "command", command: "false" }] } },
      says: "満たしていない条件があります",
    },
  ])("is not complete: $says", async ({ completion, says: expected }) => {
    const box = await sandbox();
    await writeAgent(box, { ...closing, completion });
    await answers(box, says("closing"));
    const args = ["agent", "run", "small", "-n", "1"];

    expect(await told(box, args, { quoted: ["The step", "A small agent", "says closing"] })).toContain(expected);
  });

  test("is told which tool calls it must not make, and the reader why", async () => {
    const stays = story(
      scene(
        "initial.issue",
        use("Bash", { command: "gh issue close 7" }),
        use("Bash", { command: "echo x > .e8/issues/7.md" }),
        use("Write", { file_path: ".e8/issues/7.md", content: "x" }),
        answer({ summary: "x", understanding: "x", next_action: { action: "repeat" } }),
      ),
    );
    const box = await sandbox(stays);
    await install(box, "templates/agents/ja", "issue-worker");
    await box.write(".e8/issues/7.md", "---\ntitle: 挨拶\n---\n");
    const whole = await told(box, ["agent", "run", "issue-worker", "--issue", "7", "-n", "1"]);

    expect(whole).toContain("許可されていません: Bash（理由: `gh issue close` はステップでは行えません。");
    expect(whole).toContain("許可されていません: Bash（理由: .e8/issues の変更 はステップでは行えません。");
    expect(whole).toContain("許可されていません: Write（理由: 許可の設定による）");
    expect(box.model.requests.map(({ body }) => JSON.stringify(body)).join()).toContain("is not for a step");
  });

  test.each([
    {
      name: "nowhere",
      issue: undefined,
      says: "イシュー #7 の読み取り）: フォルダー .e8/issues も、git のリモート origin もありません",
    },
    { name: "in a folder without it", issue: ["8", "---\ntitle: x\n---\n"], says: "イシュー #7 の読み取り）: " },
    {
      name: "as a pull request",
      issue: ["7", "---\nkind: pr\n---\n"],
      says: "イシュー #7 の検索）: #7 はプルリクエストです",
    },
    {
      name: "in an odd state",
      issue: ["7", "---\nstate: DONE\n---\n"],
      says: "フロントマターを使えません: state: 無効な",
    },
  ] as const)("looks for its issue, which is kept $name", async ({ issue, says: expected }) => {
    const box = await sandbox();
    await writeAgent(box, {
      completion: { type: "externalState", config: { resourceType: "issue" } },
      parameters: { issue: { type: "number", description: "イシュー", required: true, cli: "--issue" } },
      steps: closing.steps,
    });
    if (issue) await box.write(`.e8/issues/${issue[0]}.md`, issue[1]);
    await answers(box, says("closing"));
    const quoted = ["The step", "A small agent", "says closing"];

    expect(await told(box, ["agent", "run", "small", "--issue", "7"], { quoted })).toContain(expected);
  });

  test("cannot close an issue that cannot be written", async () => {
    const box = await sandbox();
    await writeAgent(box, {
      parameters: { issue: { type: "number", description: "イシュー", required: true, cli: "--issue" } },
      integrations: { github: { enabled: true, defaultClosureAction: "close" } },
      steps: closing.steps,
    });
    await box.write(".e8/issues/8.md", "---\ntitle: x\n---\n");
    await answers(box, says("closing"));
    const quoted = ["The step", "A small agent", "says closing"];

    expect(await told(box, ["agent", "run", "small", "--issue", "7"], { quoted })).toMatch(
      /FAILED_BOUNDARY_HOOK: イシュー #7 を閉じる操作: .*7\.md がありません/,
    );
  });

  test("is made from a template in the reader's language", async () => {
    const box = await sandbox();
    for (const template of ["single-step", "plan-implement-verify-close", "issue-worker"])
      expect(await told(box, ["agent", "init", template.slice(0, 5), "--from", template])).toContain("を作成しました");
    expect(await told(box, ["agent", "list"])).toContain("1 つの作業を行い、結果のファイルを残します");
    for (const name of ["singl", "plan-", "issue"]) {
      expect(await told(box, ["agent", "show", name])).toContain("開始ステップ");
      expect(await told(box, ["agent", "validate", name, "--graph", "text"])).toContain("正しい定義です");
      expect(await told(box, ["agent", "run", name, "--help"])).toContain("使い方: ");
    }
  });
});

const LOOSE = { type: "object", properties: { action: { type: "string", enum: ["next", "repeat"] } } };
