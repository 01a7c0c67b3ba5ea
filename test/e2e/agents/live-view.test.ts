import { describe, expect, test } from "vitest";
import { answer, fault, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import { type AgentSketch, says, writeAgent } from "../../support/agents.ts";
import { scriptedSandbox } from "../../support/sandbox.ts";
import { hasTmux, openTerminal } from "../../support/terminal.ts";

/** Plan, do, check, close; and two conditions, each of which waits for the test. */
const FOUR_STEPS: AgentSketch = {
  completion: { type: "stepMachine", config: { maxIterations: 9 } },
  parameters: { issue: { type: "number", description: "the issue", required: true, cli: "--issue" } },
  integrations: { github: { enabled: true } },
  steps: [
    { id: "initial.task", go: { next: "continuation.task" } },
    { id: "continuation.task", go: { next: "verification.task", repeat: "continuation.task" } },
    {
      id: "verification.task",
      go: { next: "closure.task", repeat: "continuation.task" },
      more: { stepKind: "verification" },
    },
    { id: "closure.task", go: { closing: null, repeat: "continuation.task" } },
  ],
  registry: {
    validators: {
      "tests-pass": { type: "command", command: `${waitFor("tested")}; test -f good.txt` },
      "notes-written": { type: "command", command: `${waitFor("noted")}; test -f notes.txt` },
    },
    completionSteps: {
      "closure.task": {
        stepId: "closure.task",
        name: "Check",
        c2: "retry",
        c3: "task",
        completionConditions: [{ validator: "tests-pass" }, { validator: "notes-written" }],
      },
    },
  },
};

/** The first worker is stopped by a limit, then by the tool policy; completion is refused once. */
const EVENTFUL = story(
  scene("initial.task", use("Write", { file_path: "計画.md", content: "x" }), until("planned"), answer(says("next"))),
  scene(
    "continuation.task",
    fault({ status: 429, resets_in: 5 }),
    use("Bash", { command: "gh issue close 4", description: "close" }),
    use("Write", { file_path: "notes.txt", content: "x" }),
    until("done"),
    answer(says("next", { summary: "日本語のメモを書きました" })),
  ),
  scene({ who: "verification.task", repeat: true }, answer(says("next"))),
  scene({ who: "closure.task", repeat: true }, answer(says("closing"))),
  scene(
    "continuation.task",
    use("Write", { file_path: "good.txt", content: "x" }),
    until("mended"),
    answer(says("next")),
  ),
);

function waitFor(file: string): string {
  return `until [ -f ${file} ]; do sleep 0.1; done`;
}

function until(file: string) {
  return use("Bash", { command: waitFor(file), description: "wait" });
}

const WORDS = {
  en: {
    locale: "en_US.UTF-8",
    head: (iteration: number) => `iteration ${iteration} of 9 · `,
    step: (number: number, id: string) => `  step ${number} of 4: ${id} (The step ${id})`,
    working: "working",
    waiting: /again in 0:0\d\n {2}usage limit: /,
    checking: "running the checks",
    denied: /✘ not allowed: Bash \(gh issue close is not for a step/,
    retry: " · retry",
    sentBack: "not complete (sent back 1×) → continuation.task",
    closed: "issue 4: close",
  },
  ja: {
    locale: "ja_JP.UTF-8",
    head: (iteration: number) => `イテレーション ${iteration} / 9 · `,
    step: (number: number, id: string) => `  ステップ ${number} / 4: ${id}（The step ${id}）`,
    working: "作業中",
    waiting: /待機中（再開まで 0:0\d）\n {2}使用量の上限：/,
    checking: "チェックを実行中",
    denied: /✘ 許可されていません：Bash（/,
    retry: " · 再試行",
    sentBack: "未完了（差し戻し 1 回） → continuation.task",
    closed: "イシュー 4：クローズ",
  },
};

describe.skipIf(!hasTmux)("the live view of an agent made of steps", () => {
  test.each([
    [80, 24, "en"],
    [200, 50, "ja"],
  ] as const)(
    "says which step of how many it is at, what stopped it and what is missing: %i columns, %i rows, %s",
    {
      timeout: 240_000,
    },
    async (columns, rows, language) => {
      const words = WORDS[language];
      const box = await scriptedSandbox(EVENTFUL);
      await writeAgent(box, FOUR_STEPS);
      await box.write(".e8/issues/4.md", "---\ntitle: The cart forgets the discount\n---\n");
      const args = ["agent", "run", "small", "--issue", "4", "--max-cost", "5"];
      const env = { LANG: words.locale };
      const terminal = await openTerminal(box, args, { columns, rows, env });
      const screen = async () => (await terminal.screen()).join("\n");

      await terminal.shows("→ Bash: until [ -f planned ]");
      expect(await screen()).toContain("→ Write: 計画.md");
      expect(await screen()).toMatch(new RegExp(`^. ${words.head(1)}${words.working}  0:\\d\\d\n`, "m"));
      expect(await screen()).toContain(`\n${words.step(1, "initial.task")}\n`);
      expect(await screen()).toContain("\n  · 1. tests-pass\n  · 2. notes-written\n");

      await box.write("planned", "");
      await terminal.shows(words.waiting);
      expect(await screen()).toContain("  next → continuation.task\n");
      expect(await screen()).toContain(`\n${words.step(2, "continuation.task")}\n`);

      await terminal.shows("→ Bash: until [ -f done ]");
      expect(await screen()).toMatch(words.denied);
      await box.write("done", "");
      await terminal.shows(new RegExp(`${words.head(4)}${words.checking}`));
      await terminal.shows("\n  ◌ 1. tests-pass\n  · 2. notes-written\n");
      await box.write("tested", "");
      await terminal.shows("\n  ✘ 1. tests-pass\n  ◌ 2. notes-written\n");
      await box.write("noted", "");

      await terminal.shows("→ Bash: until [ -f mended ]");
      expect(await screen()).toContain(`${words.step(2, "continuation.task")}${words.retry}\n`);
      expect(await screen()).toContain("\n  ✘ 1. tests-pass\n  ✔ 2. notes-written\n");
      await box.write("mended", "");
      await terminal.shows("exit code 0");

      const everything = await terminal.scrollback();
      expect(everything).toContain("日本語のメモを書きました\n  next → verification.task\n");
      expect(everything).toContain(words.sentBack);
      expect(everything).toContain(words.closed);
      await terminal.isUsable();
    },
  );
});
