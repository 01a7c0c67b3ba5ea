import { expect, test } from "vitest";
import { fold, stopping } from "../../../src/cli/live/state.ts";
import type { RunEvent } from "../../../src/model/events.ts";
import { notice } from "../../../src/model/notices.ts";
import { ExecutionSummary, LoopResult } from "../../../src/model/records.ts";
import { judged } from "../support.ts";
import { command, evaluation, folded, marks, runStart, START, sentence, stepStart } from "./support.ts";

const start = runStart([sentence("it is good"), command("npm test"), command("npm run lint")]);
const intake = (status: "accepted" | "needs_clarification", criteria: string[], task = ""): RunEvent => ({
  type: "intake",
  result: { status, task, criteria, clarification_questions: [], validation_notes: null },
  criteria: start.criteria,
});
const phase = (name: Extract<RunEvent, { type: "phase-start" }>["phase"]): RunEvent => ({
  type: "phase-start",
  phase: name,
  iteration: 1,
});
const call: RunEvent = { type: "tool-call", role: "executor", tool: "Bash", detail: "npm test" };
const limited: RunEvent = { type: "waiting", code: "rate_limit", reason: "429", until: START + 60_000, attempt: 1 };
const timestamp = "2026-01-23T10:00:00Z";

test("a run begins with its task, its limits and unjudged criteria", () => {
  const state = folded(runStart(start.criteria, { budget: { cost_usd: 5, tokens: null, minutes: 60 } }));

  expect(state).toMatchObject({ taskId: start.task_id, task: "Mend the cart", iteration: 0, maxIterations: 10 });
  expect(state.budget).toEqual({ cost_usd: 5, tokens: null, minutes: 60 });
  expect(marks(state)).toBe("···");
});

test("a task that goes on begins with what was spent and judged before", () => {
  const spent = { tokens: 5, cost_usd: 1, seconds: 30 };
  const evaluations = [evaluation(1, true), evaluation(2, false), evaluation(3, true)];

  const state = folded(runStart(start.criteria, { resumed_after: 2, spent, evaluations }));

  expect(state).toMatchObject({ iteration: 2, spent });
  expect(marks(state)).toBe("✔✘✔");
});

test("what the intake reworded is shown in its words; commands and unanswered questions change nothing", () => {
  const accepted = folded(start, intake("accepted", ["it is very good"], "Mend the cart well"));
  const asked = folded(start, intake("needs_clarification", ["other"]), { type: "clarification", questions: [] });

  expect(accepted.task).toBe("Mend the cart well");
  expect(accepted.criteria.map(({ text }) => text)).toEqual(["it is very good", "npm test", "npm run lint"]);
  expect(asked).toMatchObject({ task: "Mend the cart", criteria: folded(start).criteria });
});

test("marks change check by check, then when the judge looks, then with the judgment", () => {
  const checking = folded(start, phase("check"));
  const first = fold(checking, { type: "check-end", iteration: 1, evaluation: evaluation(2, false) }, START);
  const second = fold(first, { type: "check-end", iteration: 1, evaluation: evaluation(3, true) }, START);
  const judging = fold(second, phase("judge"), START);
  const done = fold(judging, { type: "judgment", judgment: judged(1, [true, false, true]) }, START);

  expect([checking, first, second, judging, done].map(marks)).toEqual(["·◌·", "·✘◌", "·✘✔", "◌✘✔", "✔✘✔"]);
});

test("checks that run beside the summary change their marks there; what is left of them goes on in its own phase", () => {
  const before = folded(start, { type: "judgment", judgment: judged(1, [true, false, false]) }, phase("execute"));
  const alone = fold(before, phase("summarize"), START);
  const beside = fold(before, { type: "phase-start", phase: "summarize", iteration: 2, beside: "check" }, START);
  const first = fold(beside, { type: "check-end", iteration: 2, evaluation: evaluation(2, true) }, START);
  const checking = fold(first, phase("check"), START);
  const second = fold(first, { type: "check-end", iteration: 2, evaluation: evaluation(3, true) }, START);

  expect([before, alone, beside, first, checking, second].map(marks)).toEqual([
    ...["✔✘✘", "✔✘✘", "✔◌✘", "✔✔◌", "✔✔◌", "✔✔✔"],
  ]);
  expect([alone, beside, first, checking, second].map(({ isBesideChecks }) => isBesideChecks)).toEqual([
    ...[false, true, true, false, false],
  ]);
});

test("a check that ends does not end the summarizer's waiting", () => {
  const beside: RunEvent = { type: "phase-start", phase: "summarize", iteration: 1, beside: "check" };
  const waiting: RunEvent = {
    type: "waiting",
    code: "rate_limit",
    reason: "slow down",
    until: START + 60_000,
    attempt: 1,
  };
  const state = folded(start, beside, waiting);

  expect(
    fold(state, { type: "check-end", iteration: 1, evaluation: evaluation(2, true) }, START).waiting,
  ).not.toBeNull();
});

test("marks stay while the next iteration works, and nothing is being checked then", () => {
  const state = folded(start, phase("judge"), { type: "iteration-start", iteration: 2, max_iterations: 10 });

  expect(marks(fold(state, phase("execute"), START))).toBe("···");
});

test("the conditions of an agent made of steps stand there from the beginning and are checked in their own order", () => {
  const end = (id: number, is_met: boolean, name: string): RunEvent => ({
    ...{ type: "check-end", iteration: 1, evaluation: evaluation(id, is_met, name) },
  });
  const begun = folded(runStart([]), { type: "conditions", conditions: ["docs", "git-clean", "tests"] }, stepStart());
  const now: RunEvent = { type: "conditions", conditions: ["tests", "git-clean"] };
  const checking = [now, phase("check")].reduce((state, event) => fold(state, event, START), begun);
  const first = fold(checking, end(1, true, "tests"), START);
  const judging = fold(first, phase("judge"), START);
  const second = fold(judging, end(2, false, "git-clean"), START);
  const unknown = fold(second, end(3, true, "found out late"), START);

  expect(begun.step).toEqual(stepStart());
  expect(begun.criteria.map(({ text }) => text)).toEqual(["docs", "git-clean", "tests"]);
  expect([begun, checking, first, judging, second].map(marks)).toEqual(["···", "··◌", "·◌✔", "·◌✔", "·✘✔"]);
  expect(marks(unknown)).toBe("·✘✔✔");
  expect(marks(fold(unknown, { type: "judgment", judgment: judged(2, []) }, START))).toBe("·✘✔✔");
});

test("an agent that goes on knows how its conditions came out", () => {
  const evaluations = [evaluation(1, false, "tests")];

  const state = folded(runStart([], { evaluations }), { type: "conditions", conditions: ["docs", "tests"] });

  expect(state.criteria.map(({ text, mark }) => [text, mark])).toEqual([
    ["tests", "unmet"],
    ["docs", "open"],
  ]);
});

test("what agents do is kept, the latest, and belongs to the past when the next phase begins", () => {
  const many = Array.from({ length: 30 }, (_, index): RunEvent => ({ ...call, detail: `step ${index}` }) as RunEvent);
  const denied: RunEvent = { type: "tool-denied", role: "executor", tool: "Write", reason: "not here" };
  const said: RunEvent = { type: "text", role: "executor", text: "x".repeat(100_000) };

  const state = folded(start, phase("execute"), ...many, denied, said);

  expect(state.activities).toHaveLength(20);
  expect(state.activities.at(-3)).toEqual({ type: "call", tool: "Bash", detail: "step 29", isPast: false });
  expect(state.activities.at(-2)).toEqual({ type: "denied", tool: "Write", reason: "not here", isPast: false });
  expect(JSON.stringify(state.activities).length).toBeLessThan(5000);
  expect(fold(state, phase("summarize"), START).activities.every(({ isPast }) => isPast)).toBe(true);
});

test("a wait ends with the next thing that happens, which a notice is not", () => {
  const waiting = folded(start, limited);
  const noticed = fold(waiting, { type: "notice", notice: notice("mcp_failed", { server: "x" }) }, START);

  expect(waiting.waiting).toEqual({ code: "rate_limit", reason: "429", until: START + 60_000 });
  expect(noticed.waiting).toEqual(waiting.waiting);
  expect(fold(noticed, call, START).waiting).toBeNull();
});

test("the clock of a phase begins with it, and that of the spending when it was said", () => {
  const total = { tokens: 10, cost_usd: 0.1, seconds: 3 };
  const state = folded(start, { type: "iteration-start", iteration: 1, max_iterations: 12 }, phase("execute"), {
    type: "spent",
    total,
  });

  expect(state).toMatchObject({ iteration: 1, maxIterations: 12, phase: "execute", phaseSince: START + 2000 });
  expect(state).toMatchObject({ spent: total, spentAt: START + 3000 });
});

test("a run that winds down says so until it has ended", () => {
  const state = stopping(folded(start, phase("execute"), limited), START + 9000);

  expect(state).toMatchObject({ isStopping: true, waiting: null, phaseSince: START + 9000 });
  expect(fold(state, phase("summarize"), START + 10_000)).toMatchObject({ isStopping: true, phaseSince: START + 9000 });
});

test("summaries, usage and the end of a run change nothing that is shown beside the phase", () => {
  const summary = ExecutionSummary.parse({
    ...{ type: "summary", iteration: 1, approach: "a", result: "success", reason: "r", timestamp },
  });
  const result = LoopResult.parse({
    ...{ type: "final_result", task_id: start.task_id, status: "completed", stop_reason: "criteria_met" },
    ...{ iterations_used: 1, timestamp },
  });
  const before = folded(start, phase("execute"));
  const usage: RunEvent = { type: "usage", role: "executor", usage: { tokens: 1, cost_usd: 1, seconds: 1 } };

  expect(fold(fold(before, { type: "summary", summary }, START), usage, START)).toEqual(before);
  expect(fold(before, { type: "run-end", result }, START)).toEqual({
    ...before,
    phase: null,
    isOver: true,
    phaseSince: START,
  });
});
