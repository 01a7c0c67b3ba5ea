import { describe, expect, test } from "vitest";
import { message, type Statement } from "../../../src/model/message.ts";
import { teller } from "../../../src/texts/tell.ts";
import type { Outcome } from "../../support/fakes.ts";
import { only, recorded, runGoal } from "../../support/run-goal.ts";
import { saying } from "../../support/saying.ts";
import { judged } from "../../support/scripted-agent.ts";

const once = { max_iterations: 1 };

describe("a check is met by exit 0 and by nothing else", () => {
  test.each<{ name: string; outcome: Outcome; is_met: boolean; said: string }>([
    { name: "exit 0", outcome: 0, is_met: true, said: "exit code 0 after 1.0 s" },
    { name: "exit 1", outcome: 1, is_met: false, said: "exit code 1 after 1.0 s" },
    { name: "exit 137", outcome: 137, is_met: false, said: "exit code 137 after 1.0 s" },
    {
      name: "a signal",
      outcome: { exit_code: null, signal: "SIGSEGV" },
      is_met: false,
      said: "ended by signal SIGSEGV",
    },
    {
      name: "a time-out, even one that exits 0 when it is told to stop",
      outcome: { exit_code: 0, timed_out: true },
      is_met: false,
      said: "timed out after 7 s; the whole process tree was ended (for more time: timeout)",
    },
    {
      name: "a command that cannot start",
      outcome: { exit_code: null, start_error: "no such directory" },
      is_met: false,
      said: "could not be started: no such directory",
    },
  ])("$name", async ({ outcome, is_met, said }) => {
    const { records, result } = await runGoal({
      criteria: [{ command: "npm test", timeout: 7 }],
      checks: [outcome],
      settings: once,
    });

    expect(recorded(records, "judgment")[0]?.evaluations).toEqual([
      {
        id: 1,
        criterion: "`npm test` exits 0",
        is_met,
        evidence: "",
        outcome: saying(said),
        confidence: 1,
        source: "command",
      },
    ]);
    expect(result.status).toBe(is_met ? "completed" : "max_iterations");
  });
});

describe("checks", () => {
  test("alone need no judge and no intake", async () => {
    const { agent, result } = await runGoal({ criteria: [{ command: "npm test" }], settings: { intake: true } });

    expect(new Set(agent.assignments.map(({ role }) => role))).toEqual(new Set(["executor", "summarizer"]));
    expect(result.status).toBe("completed");
  });

  test("that run into the limit for all checks say which flag gives them more time", async () => {
    const { records } = await runGoal({
      criteria: [{ command: "npm test" }],
      checks: [{ exit_code: null, timed_out: true }],
      settings: { ...once, command_timeout: 300 },
    });

    const [judgment] = recorded(records, "judgment");
    const outcome = judgment?.evaluations[0]?.outcome ?? "";
    expect(teller("en")(outcome)).toMatch(/^timed out after 300 s; .*\(for more time: --check-timeout\)$/);
    expect(teller("ja")(outcome)).toMatch(/^300 秒でタイムアウトし、.*（延ばすには --check-timeout）$/);
  });

  test("run once an iteration, in the user's order, each with its own limits", async () => {
    const { commands, events } = await runGoal({
      criteria: [{ command: "one" }, "It works", { command: "two | tail", timeout: 5, pipefail: true }],
      settings: { command_timeout: 40 },
      script: { judge: [{ structured: { is_complete: true, evaluations: [met(2)], overall_reason: "" } }] },
    });

    expect(commands.requests).toEqual([
      { command: "one", timeout_seconds: 40, pipefail: false },
      { command: "two | tail", timeout_seconds: 5, pipefail: true },
    ]);
    expect(only(events, "check-end").map(({ evaluation }) => evaluation.id)).toEqual([1, 3]);
  });

  test("are all run, so that the next worker sees every failure at once", async () => {
    const { records } = await runGoal({
      criteria: [{ command: "one" }, { command: "two" }],
      checks: [1, 2],
      settings: once,
    });

    const [judgment] = recorded(records, "judgment");
    expect(judgment?.evaluations.map(({ outcome }) => outcome)).toEqual([
      message("command_exited", { exit_code: 1, seconds: 1 }),
      message("command_exited", { exit_code: 2, seconds: 1 }),
    ]);
    expect(judgment?.reasons).toEqual([message("checks_failed", { failed: 2, count: 2 })]);
    expect(judgment?.overall_reason).toBe("");
  });

  test("run before the judge, who gets their outcomes", async () => {
    const { agent } = await runGoal({
      criteria: ["It works", { command: "npm test" }],
      checks: [{ exit_code: 1, output_tail: "2 tests failed" }],
      settings: once,
    });

    expect(agent.prompts("judge")[0]).toContain("2. `npm test` exits 0: FAILED");
    expect(agent.prompts("judge")[0]).toContain("2 tests failed");
  });

  test("tell the judge how each came out, however many there are and however much they print", async () => {
    const commands = Array.from({ length: 60 }, (_, index) => ({ command: `check ${index + 1}` }));
    const { agent } = await runGoal({
      criteria: [...commands, "It works"],
      checks: ({ command }) => ({ exit_code: 1, output_tail: `${"noise\n".repeat(5000)}the end of ${command}` }),
      settings: once,
    });

    for (const { command } of commands) {
      const outcome = `\`${command}\` exits 0: FAILED\n   exit code 1 after 1.0 s\n   > [… cut …]\n   > `;
      expect(agent.prompts("judge")[0]).toContain(outcome);
      expect(agent.prompts("judge")[0]).toContain(`   > the end of ${command}\n`);
    }
  });

  test("leave the end of a long output as evidence, because failures stand there", async () => {
    const output_tail = `${"an early line\n".repeat(5000)}Expected 2, received 3`;
    const { records } = await runGoal({
      criteria: [{ command: "npm test" }],
      checks: [{ exit_code: 1, output_tail }],
      settings: once,
    });

    const { evidence = "", is_cut, outcome } = recorded(records, "judgment")[0]?.evaluations[0] ?? {};
    expect(outcome).toEqual(saying("exit code 1 after 1.0 s"));
    expect(is_cut).toBe(true);
    expect(output_tail.endsWith(evidence)).toBe(true); // quoted as it was printed, with no mark of ours in it
    expect(evidence).toMatch(/Expected 2, received 3$/);
    expect(evidence.length).toBeLessThan(6000);
    expect(evidence.length).toBeGreaterThan(4000);
  });

  test("leave a short output whole, which is then not called cut", async () => {
    const { records, agent } = await runGoal({
      criteria: [{ command: "npm test" }],
      checks: [{ exit_code: 1, output_tail: "\n  2 tests failed\n" }],
      settings: { max_iterations: 2 },
    });

    const evaluation = recorded(records, "judgment")[0]?.evaluations[0];
    expect(evaluation).toMatchObject({ evidence: "2 tests failed" });
    expect(evaluation).not.toHaveProperty("is_cut");
    expect(agent.prompts("executor")[1]).not.toContain("cut");
  });

  test("whose beginning the record left out are shown to the next worker as cut, too", async () => {
    const output_tail = `${"日本語の行\n".repeat(400)}Expected 2, received 3`;
    const { agent } = await runGoal({
      criteria: [{ command: "npm test" }],
      checks: [{ exit_code: 1, output_tail }],
      settings: { max_iterations: 2 },
    });

    expect(agent.prompts("executor")[1]).toMatch(/exit code 1 after 1\.0 s\n {3}> \[… cut …\]\n/);
    expect(agent.prompts("executor")[1]).toContain("   > Expected 2, received 3\n");
  });
});

describe("a Japanese task", () => {
  const task = "テストを直してください";
  const say = (statement: Statement | undefined) => teller("ja")(statement ?? "");

  test("has its mechanical evidence as facts, which are said in Japanese to a Japanese reader", async () => {
    const { records } = await runGoal({
      task,
      criteria: [{ command: "npm test" }, { command: "npm run lint" }, "READMEが分かりやすい"],
      checks: [
        { exit_code: 1, output_tail: "2件失敗" },
        { exit_code: 0, timed_out: true },
      ],
      settings: { max_iterations: 1 },
      script: { judge: [{ text: "?" }], executor: [{ failure: { code: "crashed", message: "SIGKILL" } }] },
    });

    const [summary] = recorded(records, "summary");
    const [judgment] = recorded(records, "judgment");
    expect(judgment?.evaluations.map(({ outcome, evidence }) => [say(outcome), evidence])).toEqual([
      ["終了コード 1（1.0 秒）", "2件失敗"],
      ["30 秒でタイムアウトし、プロセスツリー全体を終了しました（延ばすには --check-timeout）", ""],
      ["この完了条件は評価されなかったため、未達とみなします。", ""],
    ]);
    expect(judgment?.reasons?.map(say)).toEqual([
      "2 件中 2 件のチェックが失敗しました。",
      "判定エージェントから使える回答が得られませんでした：構造化された回答がありませんでした",
    ]);
    expect(judgment?.overall_reason).toBe("");
    expect(say(summary?.failure)).toBe("エージェントが最後まで実行できませんでした（crashed）：SIGKILL");
    expect(summary).toMatchObject({ result: "error", approach: "", reason: "" });
  });

  test("is worked on with prompts whose own words are English, around what is quoted", async () => {
    const { agent } = await runGoal({
      task,
      criteria: [{ command: "npm test" }, "READMEが分かりやすい"],
      checks: [{ exit_code: 1, output_tail: "2件失敗" }],
      settings: { max_iterations: 2 },
      script: { judge: [judged([false], { evidence: "説明がない" })] },
    });

    const outcome = "exit code 1 after 1.0 s\n   > 2件失敗\n";
    expect(agent.prompts("executor")[0]).toContain("(none)");
    expect(agent.prompts("executor")[1]).toContain(`- NOT MET: 1. \`npm test\` exits 0\n   ${outcome}`);
    expect(agent.prompts("judge")[0]).toContain(`1. \`npm test\` exits 0: FAILED\n   ${outcome}`);
    const ours = agent.assignments.map(({ prompt }) =>
      prompt.replaceAll(/テストを直してください|READMEが分かりやすい|2件失敗|説明がない/g, ""),
    );
    expect(ours.join("\n")).not.toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  });
});

function met(id: number) {
  return { id, criterion: "", is_met: true, evidence: "seen", confidence: 1 };
}

describe("hidden checks", () => {
  const hidden = { command: "secret", hidden: true };

  test("run after the others, and their evaluations stay in the user's order", async () => {
    const { commands, records } = await runGoal({ criteria: [hidden, { command: "shown" }], settings: once });

    expect(commands.requests.map(({ command }) => command)).toEqual(["shown", "secret"]);
    expect(recorded(records, "judgment")[0]?.evaluations.map(({ id }) => id)).toEqual([1, 2]);
  });
});
