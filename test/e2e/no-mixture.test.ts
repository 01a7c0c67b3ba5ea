import { describe, expect, test } from "vitest";
import { answer, fault, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import { englishLines, japaneseLines } from "../support/prose.ts";
import { always, judges, works } from "../support/stories.ts";
import { toldInJapanese } from "../support/told-in-japanese.ts";

const WORKER = ["--agent-command", "echo できた", "--no-intake", "-n", "1"];

describe("a task of somebody who writes English, read in Japanese", () => {
  test.each([
    { check: "echo broken; exit 3", says: "終了コード 3（" },
    { check: "kill -9 $$", says: "シグナル SIGKILL で終了" },
    { check: "sleep 9", says: "1 秒でタイムアウトし" },
  ])("the evidence of `$check`", async ({ check, says }) => {
    const box = await quickSandbox();
    await box.write("endless8.yaml", "command_timeout: 1\n");
    const whole = await toldInJapanese(box, ["run", "Say-hello", "--check", check, ...WORKER], { quoted: [check] });

    expect(whole).toContain(says);
    expect(whole).toContain("理由: チェックは失敗しました。");
    const [, judgment] = await box.records();
    expect(judgment).toMatchObject({ overall_reason: "", reasons: [{ code: "checks_failed" }] });
  });

  test.each([
    { command: "echo oh-no >&2; exit 3", says: "は終了コード 3 で終了しました: oh-no" },
    { command: "kill -9 $$", says: "はシグナル SIGKILL で終了しました" },
    { command: "true", says: "エージェントは何も報告せずに終了しました。" },
    { command: "sleep 9", says: "1 秒のあいだ何の反応もありませんでした" },
  ])("a worker that fails: `$command`", async ({ command, says }) => {
    const box = await quickSandbox();
    await box.write("endless8.yaml", "silence_timeout: 1\n");
    const whole = await toldInJapanese(box, [
      "run",
      "Say-hello",
      "--check",
      "false",
      "--agent-command",
      command,
      "-n",
      "1",
    ]);

    expect(whole).toContain(says);
    const [summary] = await box.records();
    expect(summary).toMatchObject({ result: "error", failure: { code: expect.stringMatching(/^agent_/) } });
  });

  test("and one in Japanese is read in English", async () => {
    const box = await quickSandbox();
    await box.e8(["run", "挨拶する", "--check", "exit 3", "--agent-command", "exit 4", "-n", "1"]);
    const { stdout } = await box.e8(["show", ...(await box.tasks())]);

    expect(japaneseLines(stdout.replaceAll(box.home, ""))).toEqual(["  挨拶する"]);
    expect(stdout).toContain("exit code 3 after");
    expect(stdout).toContain("The agent did not finish (crashed): `exit 4` exited with code 4");
    expect(await box.records()).toMatchObject([{ failure: { code: "agent_failed" } }, {}, {}]);
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
    const box = await quickSandbox();
    await box.write("endless8.yaml", JSON.stringify(settings));

    expect(await toldInJapanese(box, ["run", "挨拶する", "--check", "true", "-n", "1"])).toContain(says);
  });

  test("a program that is not an agent", async () => {
    const quoted = ["command not found"];
    const box = await quickSandbox();
    const whole = await toldInJapanese(box, ["run", "挨拶する", "--check", "true", "--agent-command", "no-such"], {
      quoted,
    });

    expect(whole).toContain("`no-such` は終了コード 127 で終了しました");
  });
});

test("a key that is refused", async () => {
  const quoted = ["Invalid API key · Fix external API key"];
  const box = await quickSandbox(story(always(scene("executor", fault(401)))));
  const whole = await toldInJapanese(box, ["run", "挨拶する", "--check", "true", "-n", "1"], { quoted });

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
    const judge = always(judges(words.length === 1, words));
    const box = await quickScripted(story(works("できた"), judge), { models: { summarizer: "none" } });
    const quoted = ["seen in the record", "all is there", "not all is there", "not ·", "approach of:"];
    const args = ["run", "挨拶する", "-c", "挨拶がある", "--no-intake", "-n", "1"];
    const whole = await toldInJapanese(box, args, { quoted });

    expect(whole).toContain(`判定エージェントの回答を使えないため、もう一度尋ねます（理由: ${says}）。`);
    expect(whole).toContain(`判定エージェントから使える回答が得られませんでした（理由: ${says}）。`);
  });

  test("because it is of another shape, or none at all", async () => {
    const odd = scene("judge", answer({ is_complete: "perhaps", evaluations: [], overall_reason: "" }));
    const box = await quickSandbox(story(always(odd)));
    const env = { OPENAI_BASE_URL: `${box.model.url}/v1`, OPENAI_API_KEY: "sk-fake-key-of-a-test" };
    const models = { summarizer: "none", judge: "openai:gpt-5" };
    await box.write("endless8.yaml", JSON.stringify({ models }));
    const whole = await toldInJapanese(box, ["run", "Say-hello", "-c", "It-greets", ...WORKER], { env });

    expect(whole).toMatch(/理由: is_complete: 無効な入力/);
    expect(whole).toContain("理由: 判定エージェントから使える回答が得られませんでした: is_complete:");
  });
});

test("an intake that asks nothing and a model that says no word of JSON", async () => {
  const asksNothing = answer({ status: "needs_clarification", task: "", criteria: [], clarification_questions: [] });
  const box = await quickSandbox(
    story(always(scene("intake", asksNothing)), always(scene("judge", { say: "うーん" }))),
  );
  const env = { OPENAI_BASE_URL: `${box.model.url}/v1`, OPENAI_API_KEY: "sk-fake-key-of-a-test" };
  const models = { intake: "openai:gpt-5", summarizer: "none", judge: "openai:gpt-5" };
  await box.write("endless8.yaml", JSON.stringify({ models, logging: { raw_log: true } }));
  const args = ["run", "挨拶する", "-c", "挨拶がある", "--agent-command", "echo できた", "-n", "1"];
  const whole = await toldInJapanese(box, args, { env });
  const logs = await box.e8(["--lang", "ja", "logs", ...(await box.tasks())]);

  expect(whole).toContain("確認が必要とされていますが、質問がありません");
  expect(whole).toContain("回答に JSON がありませんでした");
  expect(logs.stdout).toContain("✘ openai:gpt-5: 回答に JSON がありませんでした");
  expect(englishLines(logs.stdout)).toEqual([]);
});
