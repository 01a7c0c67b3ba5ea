import { describe, expect, test } from "vitest";
import { phrases } from "../../src/model/phrases.ts";
import type { Outcome } from "../support/fakes.ts";
import { only, recorded, runGoal } from "../support/run-goal.ts";
import { saying } from "../support/saying.ts";

const once = { max_iterations: 1 };

describe("a check is met by exit 0 and by nothing else", () => {
  test.each<{ name: string; outcome: Outcome; is_met: boolean; evidence: string }>([
    { name: "exit 0", outcome: 0, is_met: true, evidence: "exit code 0 after 1.0 s" },
    { name: "exit 1", outcome: 1, is_met: false, evidence: "exit code 1 after 1.0 s" },
    { name: "exit 137", outcome: 137, is_met: false, evidence: "exit code 137 after 1.0 s" },
    {
      name: "a signal",
      outcome: { exit_code: null, signal: "SIGSEGV" },
      is_met: false,
      evidence: "ended by signal SIGSEGV",
    },
    {
      name: "a time-out, even one that exits 0 when it is told to stop",
      outcome: { exit_code: 0, timed_out: true },
      is_met: false,
      evidence: "timed out after 7 s (timeout); the whole process tree was ended",
    },
    {
      name: "a command that cannot start",
      outcome: { exit_code: null, start_error: "no such directory" },
      is_met: false,
      evidence: "could not be started: no such directory",
    },
  ])("$name", async ({ outcome, is_met, evidence }) => {
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
        evidence,
        confidence: 1,
        source: "command",
        wordings: [saying(evidence)],
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
    expect(judgment?.evaluations.map(({ evidence }) => evidence)).toEqual([
      "exit code 1 after 1.0 s",
      "exit code 2 after 1.0 s",
    ]);
    expect(judgment?.overall_reason).toBe(phrases.en.checksFailed(2, 2));
  });

  test("run before the judge, who is told how they came out", async () => {
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
      const outcome = `\`${command}\` exits 0: FAILED\n   exit code 1 after 1.0 s; output ends with:\n   > `;
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

    const evidence = recorded(records, "judgment")[0]?.evaluations[0]?.evidence ?? "";
    expect(evidence).toMatch(/^exit code 1 after 1\.0 s; output ends with:\n\[… cut …\]\n/);
    expect(evidence).toMatch(/Expected 2, received 3$/);
    expect(evidence.length).toBeLessThan(6000);
  });
});

describe("a Japanese task", () => {
  test("gets its mechanical evidence in Japanese", async () => {
    const { records, agent } = await runGoal({
      task: "テストを直してください",
      criteria: [{ command: "npm test" }, { command: "npm run lint" }, "READMEが分かりやすい"],
      checks: [
        { exit_code: 1, output_tail: "2件失敗" },
        { exit_code: 0, timed_out: true },
      ],
      settings: { max_iterations: 2 },
      script: { judge: [{ text: "?" }], executor: [{ failure: { code: "crashed", message: "SIGKILL" } }] },
    });

    const [judgment] = recorded(records, "judgment");
    expect(judgment?.evaluations.map(({ evidence }) => evidence)).toEqual([
      "終了コード 1（1.0 秒）; 出力の末尾:\n2件失敗",
      "30 秒でタイムアウトし（--check-timeout）、プロセスツリー全体を終了した",
      phrases.ja.notEvaluated,
    ]);
    expect(judgment?.overall_reason).toContain(phrases.ja.checksFailed(2, 2));
    expect(records[0]).toMatchObject({ reason: "エージェントが最後まで実行できなかった（crashed）: SIGKILL" });
    expect(agent.prompts("executor")[1]).toContain("終了コード 1");
  });
});

function met(id: number) {
  return { id, criterion: "", is_met: true, evidence: "seen", confidence: 1 };
}
