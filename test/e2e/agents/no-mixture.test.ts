import { describe, expect, test } from "vitest";
import { answer, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import { type AgentSketch, answers, byProgram, install, losing, says, writeAgent } from "../../support/agents.ts";
import { quickSandbox } from "../../support/in-process.ts";
import { toldInJapanese } from "../../support/told-in-japanese.ts";

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
    {
      validator: { type: "command", command: "sleep 9", timeout: 300 },
      says: "0.3 秒でタイムアウトし、プロセスツリー全体を終了しました（延ばすには timeout）",
    },
    { validator: { type: "command", command: "kill -9 $$" }, says: "シグナル SIGKILL で終了しました" },
    { validator: { type: "command", command: "/none" }, says: "終了コード 127：コマンドを実行できません" },
    { validator: { type: "file", path: "none.md" }, says: "none.md がありません" },
  ])("refuses completion: $says", async ({ validator, says: expected }) => {
    const box = await quickSandbox();
    await writeAgent(box, conditions(validator));
    await answers(box, says("closing"));

    const quoted = ["No such file or directory", "The step", "A small agent", "says closing"];
    expect(await toldInJapanese(box, ["agent", "run", "small"], { quoted })).toContain(`proof: ${expected}`);
    expect((await box.records()).at(-1)).toMatchObject({ error_details: { problem: { code: "condition_failed" } } });
  });

  test.each([
    { module: "export default 3;", says: "モジュールの default export が関数ではありません" },
    { module: "export const a = 3;", says: "default export がありません" },
    { module: "export default () => { throw new Error('boom'); };", says: "モジュールが失敗しました：boom" },
    { module: "export default () => false;", says: "モジュールが不成立と判断しました" },
  ])("refuses completion by a module: $says", async ({ module, says: expected }) => {
    const box = await quickSandbox();
    const custom = { type: "custom", handlerPath: "proof.mjs" };
    await writeAgent(box, conditions(custom, { files: { "proof.mjs": module } }));
    await answers(box, says("closing"));

    const quoted = ["The step", "A small agent", "says closing"];
    expect(await toldInJapanese(box, ["agent", "run", "small"], { quoted })).toContain(expected);
  });

  test("is corrected on the way, and says what it still waits for", async () => {
    const box = await quickSandbox();
    const lenient = { failFast: false, fallbackIntent: "repeat" };
    const text = { type: "string" };
    const schema = { type: "object", properties: { stepId: text, summary: text, next_action: LOOSE } };
    const step = { id: "initial.task", go: { next: "closure.task", repeat: "initial.task" }, gate: lenient, schema };
    await writeAgent(box, {
      completion: { type: "stepMachine", config: { maxIterations: 1 } },
      steps: [{ ...step, more: byProgram }, ...closing.steps],
    });
    await answers(box, { stepId: "wrong", summary: "できた" });
    const whole = await toldInJapanese(box, ["agent", "run", "small"], { quoted: ["The step", "A small agent"] });

    expect(whole, whole).toContain('出力の stepId は "wrong" でしたが、initial.task として記録しました。');
    expect(whole).toContain("出力の next_action.action に intent がありません。");
    expect(whole).toContain("fallbackIntent の repeat で続けました。");
    const [, judgment] = await box.records();
    expect(judgment).toMatchObject({
      flow: { deviations: [{ code: "step_id_corrected" }, { code: "intent_fallback_taken" }] },
    });
  });

  test("has a program for a step that fails, or whose answer does not fit", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { ...closing, completion: { type: "stepMachine", config: { maxIterations: 3 } } });
    await answers(box, { summary: 3, next_action: { action: "perhaps" } }, { summary: "できた" });
    const quoted = ["The step", "A small agent", "No such file or directory"];
    const whole = await toldInJapanese(box, ["agent", "run", "small"], { quoted });

    expect(whole).toContain("/summary: 型が string ではありません");
    expect(whole).toContain('/next_action/action: "closing"、"repeat" のどれでもありません');
    expect(whole).toContain("出力：next_action がありません");
    expect(whole).toContain("`sh`: 終了コード 1");
    expect(whole).toContain("理由：closure.task: もう一度 → closure.task");
  });

  test.each([
    { completion: { type: "keywordSignal", config: { completionKeyword: "DONE" } }, says: "応答に DONE がありません" },
    { completion: { type: "checkBudget", config: { maxChecks: 3 } }, says: "完了の確認 3 回のうち 1 回を終えました" },
    {
      completion: { type: "externalState", config: { resourceType: "file", path: "none.md" } },
      says: "ファイル none.md の状態は MISSING で、EXISTS ではありません",
    },
    {
      completion: { type: "structuredSignal", config: { signalType: "done" } },
      says: "出力に必須の項目を備えたシグナル done がありません",
    },
    {
      completion: { type: "criteria", config: { criteria: [{ type: "command", command: "false" }] } },
      says: "満たしていない完了条件があります",
    },
  ])("is not complete: $says", async ({ completion, says: expected }) => {
    const box = await quickSandbox();
    await writeAgent(box, { ...closing, completion });
    await answers(box, says("closing"));
    const args = ["agent", "run", "small", "-n", "1"];

    expect(await toldInJapanese(box, args, { quoted: ["The step", "A small agent", "says closing"] })).toContain(
      expected,
    );
  });

  test("learns which tool calls are forbidden, and the report says why", async () => {
    const stays = story(
      scene(
        "initial.issue",
        use("Bash", { command: "gh issue close 7" }),
        use("Bash", { command: "echo x > .e8/issues/7.md" }),
        use("Write", { file_path: ".e8/issues/7.md", content: "x" }),
        answer({ summary: "x", understanding: "x", next_action: { action: "repeat" } }),
      ),
    );
    const box = await quickSandbox(stays);
    await install(box, "templates/agents/ja", "issue-worker");
    await box.write(".e8/issues/7.md", "---\ntitle: 挨拶\n---\n");
    const whole = await toldInJapanese(box, ["agent", "run", "issue-worker", "--issue", "7", "-n", "1"]);

    expect(whole).toContain("許可されていません：Bash（理由：`gh issue close` はステップでは行えません。");
    expect(whole).toContain("許可されていません：Bash（理由：.e8/issues の変更 はステップでは行えません。");
    expect(whole).toContain("許可されていません：Write（理由：許可の設定によります）");
    expect(box.model.requests.map(({ body }) => JSON.stringify(body)).join()).toContain("is not for a step");
  });

  test.each([
    {
      name: "nowhere",
      issue: undefined,
      says: "イシュー #7 の読み取り）：ディレクトリ .e8/issues も、git のリモート origin もありません",
    },
    { name: "in a folder without it", issue: ["8", "---\ntitle: x\n---\n"], says: "イシュー #7 の読み取り）：" },
    {
      name: "as a pull request",
      issue: ["7", "---\nkind: pr\n---\n"],
      says: "イシュー #7 の検索）：#7 はプルリクエストです",
    },
    {
      name: "in an odd state",
      issue: ["7", "---\nstate: DONE\n---\n"],
      says: "フロントマターを使えません：state: 無効な",
    },
  ] as const)("looks for its issue, which is kept $name", async ({ issue, says: expected }) => {
    const box = await quickSandbox();
    await writeAgent(box, {
      completion: { type: "externalState", config: { resourceType: "issue" } },
      parameters: { issue: { type: "number", description: "イシュー", required: true, cli: "--issue" } },
      steps: closing.steps,
    });
    if (issue) await box.write(`.e8/issues/${issue[0]}.md`, issue[1]);
    await answers(box, says("closing"));
    const quoted = ["The step", "A small agent", "says closing"];

    expect(await toldInJapanese(box, ["agent", "run", "small", "--issue", "7"], { quoted })).toContain(expected);
  });

  test("cannot close an issue that cannot be written", async () => {
    const box = await quickSandbox();
    box.env.ENDLESS8_SANDBOX = "off"; // the step removes the issue, which it would not find in a sandbox
    await writeAgent(box, {
      parameters: { issue: { type: "number", description: "イシュー", required: true, cli: "--issue" } },
      integrations: { github: { enabled: true, defaultClosureAction: "close" } },
      steps: closing.steps.map((step) => ({ ...step, more: losing("7") })),
    });
    await box.write(".e8/issues/7.md", "---\ntitle: x\n---\n");
    await answers(box, says("closing"));
    const quoted = ["The step", "A small agent", "says closing"];

    expect(await toldInJapanese(box, ["agent", "run", "small", "--issue", "7"], { quoted })).toMatch(
      /FAILED_BOUNDARY_HOOK: イシュー #7 を閉じる操作：.*7\.md がありません/,
    );
  });

  test("is made from a template in the reader's language", async () => {
    const box = await quickSandbox();
    for (const template of ["single-step", "plan-implement-verify-close", "issue-worker"])
      expect(await toldInJapanese(box, ["agent", "init", template.slice(0, 5), "--from", template])).toContain(
        "を作成しました",
      );
    expect(await toldInJapanese(box, ["agent", "list"])).toContain("1 つの作業を行い、結果のファイルを残します");
    for (const name of ["singl", "plan-", "issue"]) {
      expect(await toldInJapanese(box, ["agent", "show", name])).toContain("開始ステップ");
      expect(await toldInJapanese(box, ["agent", "validate", name, "--graph", "text"])).toContain("正しい定義です");
      expect(await toldInJapanese(box, ["agent", "run", name, "--help"])).toContain("使い方：");
    }
  });
});

const LOOSE = { type: "object", properties: { action: { type: "string", enum: ["next", "repeat"] } } };
