import fc from "fast-check";
import { expect, test } from "vitest";
import { type FrameSettings, frame, type Row } from "../../../src/cli/live/frame.ts";
import type { LiveState } from "../../../src/cli/live/state.ts";
import { clock, compact } from "../../../src/cli/render/amounts.ts";
import { displayWidth } from "../../../src/cli/render/columns.ts";
import type { RunEvent } from "../../../src/model/events.ts";
import { message } from "../../../src/model/message.ts";
import { LoopResult } from "../../../src/model/records.ts";
import { en } from "../../../src/texts/en/catalogue.ts";
import { ja } from "../../../src/texts/ja/catalogue.ts";
import { command, evaluation, folded, runStart, START, sentence, stepStart } from "./support.ts";

const iteration: RunEvent = { type: "iteration-start", iteration: 2, max_iterations: 10 };
const working: RunEvent = { type: "phase-start", phase: "execute", iteration: 2 };

function shown(state: LiveState, columns = 80, rows = 24, more: Partial<FrameSettings> = {}): string[] {
  return frame(state, { texts: en, columns, rows, now: START + 65_000, isWatched: false, ...more }).map(plain);
}

function plain(row: Row): string {
  return row
    .map(({ text }) => text)
    .join("")
    .trimEnd();
}

function call(detail: string): RunEvent {
  return { type: "tool-call", role: "executor", tool: "Bash", detail };
}

test("the most important comes first: where the run is, on what, for how much, what is missing, what it does", () => {
  const budget = { cost_usd: 5, tokens: 2_000_000, minutes: 480 };
  const state = folded(
    runStart([sentence("it is good"), command("npm test")], { budget, evaluations: [evaluation(1, true)] }),
    iteration,
    working,
    { type: "spent", total: { tokens: 123_456, cost_usd: 0.42, seconds: 700 } },
    call("npm test"),
  );

  expect(shown(state)).toEqual([
    "",
    "⠴ iteration 2 of 10 · working  1:03",
    "  2026-01-23T10-00-00  Mend the cart",
    "  12:42 of 8 h 00 min · 123k of 2.0M tokens · $0.42 of $5.00",
    "",
    "  ✔ 1. it is good",
    "  · 2. npm test",
    "",
    "  → Bash: npm test",
    "",
    "  Ctrl-C stops; e8 run --resume goes on",
  ]);
});

test("a cost is shown once there is one, or a limit for it", () => {
  const free = folded(runStart([]), iteration, working);
  const limited = folded(runStart([], { budget: { cost_usd: 5, tokens: null, minutes: null } }), iteration, working);

  expect(shown(free)[3]).toBe("  1:05 · 0 tokens");
  expect(shown(limited)[3]).toBe("  1:05 · 0 tokens · $0.00 of $5.00");
});

test("checks that run beside the summary are named in the line of the phase", () => {
  const summarizing: RunEvent = { type: "phase-start", phase: "summarize", iteration: 2, beside: "check" };
  const state = folded(runStart([command("npm test")]), iteration, summarizing);

  expect(shown(state)[1]).toBe("⠴ iteration 2 of 10 · summarizing, checks running  1:03");
  expect(shown(state)).toContain("  ◌ 1. npm test");
  expect(shown(state, 80, 24, { texts: ja })[1]).toContain("· 要約中（チェックも実行中）");
});

test("a run that has come to its end is not said to start", () => {
  const timestamp = "2026-01-23T10:00:00Z";
  const ending = { status: "completed", stop_reason: "criteria_met", iterations_used: 1, timestamp };
  const result = LoopResult.parse({ type: "final_result", task_id: "x", ...ending });
  const state = folded(runStart([]), iteration, working, { type: "run-end", result });

  expect(shown(state)[1]).toBe("⠴ iteration 2 of 10 · ending  1:02");
  expect(shown(state, 80, 24, { texts: ja })[1]).toContain("· 終了しています");
});

test("who took over from the preferred agent is named, also by a view that begins later", () => {
  const change = { type: "worker", iteration: 2, from: "claude", to: "command:b", cause: "limited", timestamp: "" };
  const state = folded(runStart([]), iteration, working, { type: "worker-change", change } as RunEvent);
  const later = folded(runStart([], { worker: "command:b" }), iteration, working);

  for (const one of [state, later]) expect(shown(one)).toContain("  command:b works");
  expect(shown(folded(runStart([]), iteration, working)).join()).not.toContain("works");
});

test("a wait counts down, and is over when its time has come", () => {
  const until = START + 337_000;
  const state = folded(runStart([]), iteration, {
    ...{ type: "waiting", code: "rate_limit", reason: "429 too many requests", until, attempt: 1 },
  } as RunEvent);

  expect(shown(state)[1]).toBe("⠴ iteration 2 of 10 · waiting, again in 4:32");
  expect(shown(state)[2]).toBe("  rate limit: 429 too many requests");
  expect(shown(state, 80, 24, { now: until })[1]).toContain("starting");
  expect(shown(state, 80, 24, { texts: ja })[1]).toBe("⠴ イテレーション 2 / 10 · 待機中（再開まで 4:32）");
});

test("while the agent itself asks its model again, the attempt and a countdown are shown, and why", () => {
  const retry: RunEvent = {
    ...{ type: "api-retry", role: "executor", code: "overloaded", status: 529 },
    ...{ attempt: 3, max_attempts: 10, until: START + 73_000 },
  };
  const state = folded(runStart([]), iteration, working, retry);
  const offline = folded(runStart([]), iteration, working, { ...retry, code: "network", status: null });

  expect(shown(state).slice(1, 3)).toEqual([
    "⠴ iteration 2 of 10 · waiting, retry 3 of 10 in 0:08",
    "  the model is overloaded (HTTP 529)",
  ]);
  expect(shown(offline)[2]).toBe("  the model cannot be reached");
  expect(shown(state, 80, 24, { now: retry.until })[1]).toContain("working");
  expect(shown(state, 80, 24, { texts: ja }).slice(1, 3)).toEqual([
    "⠴ イテレーション 2 / 10 · 待機中（再試行 3 / 10 まで 0:08）",
    "  モデルが混み合っています（HTTP 529）",
  ]);
});

test("thirty criteria fold to what still needs something, and say what is folded away", () => {
  const evaluations = Array.from({ length: 30 }, (_, index) => evaluation(index + 1, index < 10));
  const criteria = evaluations.map(({ id }) => command(`check ${id}`));
  const state = folded(
    runStart(criteria, { evaluations }),
    iteration,
    working,
    ...[1, 2, 3, 4, 5, 6].map(String).map(call),
  );

  const small = shown(state, 80, 24);
  const large = shown(state, 200, 70);

  expect(small.filter((line) => line.includes("✘"))[0]).toBe("  ✘ 11. check 11");
  expect(small).toContain("  … 26 more, 16 not met");
  expect(small.filter((line) => line.includes("→"))).toHaveLength(5);
  expect(large.filter((line) => /[✔✘]/.test(line))).toHaveLength(30);
});

test("a step has a line of its own with its place among the steps, so that its name cuts off nothing else", () => {
  const name = "Plan ".repeat(40);
  const waiting: RunEvent = { type: "waiting", code: "server", reason: "503", until: START + 99_000, attempt: 1 };
  const state = folded(runStart([]), iteration, stepStart({ name }), waiting);
  const retry = folded(runStart([]), iteration, stepStart({ is_retry: true }));

  expect(shown(state)[1]).toMatch(/^. iteration 2 of 10 · waiting, again in /);
  expect(shown(state)[3]).toMatch(/^ {2}step 2 of 4: initial\.plan \(Plan Plan .*…$/);
  expect(shown(retry)[2]).toBe("  step 2 of 4: initial.plan (Plan) · retry");
  expect(shown(retry, 80, 24, { texts: ja })[2]).toBe("  ステップ 2 / 4: initial.plan（Plan） · 再試行");
});

test("a check without a description is named in the reader's language", () => {
  const state = folded(runStart([{ type: "command", command: "npm test" }]));

  expect(shown(state)).toContain("  · 1. `npm test` exits 0");
  expect(shown(state, 80, 24, { texts: ja })).toContain("  · 1. `npm test` が終了コード 0 で終わること");
});

test("what is nearly used up stands out", () => {
  const budget = { cost_usd: 5, tokens: 1000, minutes: null };
  const spent = { tokens: 799, cost_usd: 4, seconds: 0 };
  const rows = frame(folded(runStart([], { budget, spent })), {
    texts: en,
    columns: 80,
    rows: 24,
    now: START,
    isWatched: false,
  });
  const styleOf = (text: string) => rows.flat().find((segment) => segment.text === text)?.style;

  expect(styleOf("$4.00 of $5.00")).toBe("yellow");
  expect(styleOf("799 of 1.0k tokens")).toBe("dim");
});

test("no text from outside can steer the terminal", () => {
  const hostile = "\u001b[2J\u001b]2;title\u0007a\r\n\u001b[10Ab";
  const state = folded(
    runStart([sentence(hostile)], { task: hostile }),
    stepStart({ name: hostile }),
    { type: "tool-denied", role: "executor", tool: hostile, reason: hostile },
    { type: "text", role: "executor", text: hostile },
    call(hostile),
    { type: "waiting", code: "network", reason: hostile, until: START + 999_000, attempt: 1 },
  );

  expect(shown(state).join("")).not.toMatch(/\p{Cc}/u);
  expect(shown(state).join("\n")).toContain("→ Bash: a b");
});

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.constantFrom("日本語のとても長い行".repeat(30), "👩‍👩‍👧".repeat(90), "x".repeat(300), ""),
);

test("no line is wider than the terminal and there are always fewer than it has, whatever is shown", () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { maxLength: 40 }),
      anyText,
      fc.integer({ min: 12, max: 250 }),
      fc.integer({ min: 4, max: 80 }),
      (lines, text, columns, rows) => {
        const criteria = lines.map((line) => command(line || "-"));
        const state = folded(
          runStart(criteria, { task: text, budget: { cost_usd: 10, tokens: 1e9, minutes: 600 } }),
          iteration,
          stepStart({ name: text }),
          ...lines.map(call),
          { type: "waiting", code: "server", reason: text, until: START + 999_000, attempt: 1 },
        );
        for (const texts of [en, ja]) {
          const drawn = shown(state, columns, rows, { texts });
          expect(drawn.length).toBeLessThan(rows);
          expect(Math.max(...drawn.map(displayWidth))).toBeLessThan(columns);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test.each([
  [0, "0:00"],
  [59.9, "0:59"],
  [754, "12:34"],
  [3600, "1 h 00 min"],
  [-3, "0:00"],
])("%d seconds are %s", (seconds, text) => {
  expect(clock(seconds)).toBe(text);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1.0k"],
  [9949, "9.9k"],
  [9960, "10k"],
  [123_456, "123k"],
  [999_499, "999k"],
  [999_500, "1.0M"],
  [12_345_678, "12M"],
])("%d tokens are %s", (count, text) => {
  expect(compact(count)).toBe(text);
});

test("in Japanese, waits, refused calls and names of checks are Japanese", () => {
  const reason = message("answer_missing", {});
  const state = folded(
    runStart([{ type: "command", command: "npm test" }, sentence("`npm test` exits 0")]),
    { type: "tool-denied", role: "executor", tool: "Bash", reason },
    { type: "waiting", code: "network", reason, until: START + 999_000, attempt: 1 },
  );
  const lines = shown(state, 80, 24, { texts: ja });

  expect(lines).toContain("  モデルに接続できません：回答なし");
  expect(lines).toContain("  ✘ 許可されていません：Bash（理由：回答なし）");
  expect(lines).toContain("  · 1. `npm test` が終了コード 0 で終わること");
  expect(lines).toContain("  · 2. `npm test` exits 0"); // the user's own words
});

test("a run of another process says that Ctrl-C leaves it alone", () => {
  const last = shown(folded(runStart([])), 80, 24, { isWatched: true }).at(-1);

  expect(last).toBe("  Ctrl-C leaves this view; the run goes on");
});

test("a replay does not say that its run goes on", () => {
  const last = shown(folded(runStart([])), 80, 24, { isWatched: true, isReplay: true }).at(-1);

  expect(last).toBe("  Ctrl-C leaves this view");
});
