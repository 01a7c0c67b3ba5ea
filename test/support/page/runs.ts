import type { CriterionRow, IterationRow, TaskRow, TaskView } from "../../../src/model/dashboard.ts";

/** A fixed time, so that pictures of the page can be compared. */
export const NOW = Date.parse("2026-03-04T10:00:00Z");
export const PROJECT = "shop";
export const OTHER = "site";

export const idOf = (number: number) =>
  `2026-03-04T09-${String(number % 60).padStart(2, "0")}-00${number >= 60 ? `-${number}` : ""}`;

const TITLES = [
  "Make the cart's totals right for several tax rates",
  "Fix the failing test in checkout.test.ts",
  "Move the price list from JSON to SQLite without changing the API",
  "Write the migration guide for version 3",
  "Find out why the build is slow, and make it take half as long",
  "Replace moment by Temporal in the invoice module",
  "カートの合計金額を税率ごとに計算する",
];

const STATUSES: TaskRow["status"][] = [
  "running",
  "completed",
  "completed",
  "stalled",
  "clarification_needed",
  "completed",
  "max_iterations",
  "cancelled",
  "error",
  "completed",
  "budget_exceeded",
  "paused",
];

export function rowOf(number: number): TaskRow {
  const status = STATUSES[number % STATUSES.length] ?? "completed";
  const criteria = 3 + (number % 4);
  const at = new Date(NOW - number * 3_600_000 * 5).toISOString();
  return {
    project: number % 3 === 2 ? OTHER : PROJECT,
    task_id: idOf(number),
    title: TITLES[number % TITLES.length] ?? "",
    status,
    iterations: 1 + (number % 9),
    max_iterations: 10,
    criteria,
    criteria_met: status === "completed" ? criteria : number % criteria,
    spent: {
      tokens: 41_000 * (1 + (number % 7)),
      cost_usd: 0.21 * (1 + (number % 11)),
      seconds: 340 * (1 + (number % 5)),
    },
    created_at: at,
    last_active: at,
    ...(status === "running" && { doing: { phase: "execute" } }),
    ...(status === "error" && { problem: "The agent is not signed in." }),
    agent: number % 2 ? "codex" : "claude",
    ...(number % 5 === 1 && { issue: 100 + number }),
  };
}

const CRITERIA: Omit<CriterionRow, "cells">[] = [
  { id: 1, text: "npm test", kind: "command", command: "npm test" },
  {
    id: 2,
    text: "Totals are rounded once, at the end, and README says so",
    refined: "The totals of a cart are rounded exactly once, after all lines were added, and README.md describes it.",
    kind: "sentence",
  },
  { id: 3, text: "No public function of src/cart.ts has changed its signature", kind: "sentence" },
  { id: 4, text: "test/** stays as it is", kind: "unchanged" },
];

/** Met sooner or later, each in its own time, with one relapse. */
const isMet = (id: number, iteration: number, of: number) =>
  id === 4 || iteration >= (of * id) / 3.2 || (id === 1 && iteration === 2);

const APPROACHES = [
  "Read the cart module and wrote a failing test for mixed rates",
  "Kept the lines' amounts in integer cents and added them before rounding",
  "Moved rounding into one function, total(), and described it in README.md",
  "Put back the signature of addLine(), which the iteration before had changed",
];

function cellsOf(id: number, of: number): CriterionRow["cells"] {
  return Array.from({ length: of }, (_, index) => ({
    iteration: index + 1,
    is_met: isMet(id, index + 1, of),
    ...(id === 1 && index === 1 && { is_flaky: true }),
  }));
}

function iterationOf(iteration: number, of: number, isRunning: boolean): IterationRow {
  const start = NOW - (of - iteration + 1) * 400_000;
  const isOpen = isRunning && iteration === of;
  const lengths = [150_000 + (iteration % 4) * 35_000, 18_000, 24_000, 30_000];
  const names = ["execute", "summarize", "check", "judge", "prove"];
  let at = start;
  const phases = names.slice(0, isOpen ? 1 : iteration === of ? 5 : 4).map((phase, index) => {
    const from = at;
    at += lengths[index] ?? 40_000;
    return { phase, start: from, ...(!isOpen && { end: at }) };
  });
  const met = CRITERIA.filter(({ id }) => isMet(id, iteration, of)).length;
  return {
    iteration,
    start,
    ...(!isOpen && { end: at }),
    phases,
    approach: isOpen ? "" : (APPROACHES[iteration % APPROACHES.length] ?? ""),
    reason: isOpen
      ? ""
      : "total() now adds integer cents and rounds once. Two tests still fail: they expect each line to be rounded.\n\nnpm test: 41 passed, 2 failed.",
    result: isOpen ? "" : iteration % 3 === 1 ? "failure" : "success",
    worker: "claude",
    usage: { tokens: 21_000 + (iteration % 5) * 7_000, cost_usd: 0.11 + (iteration % 6) * 0.04, seconds: 200 },
    ...(!isOpen && { changes: { files: 2 + (iteration % 3), added: 31 * iteration, removed: 12 } }),
    criteria_met: isOpen ? 0 : met,
    is_complete: !isOpen && met === CRITERIA.length,
    ...(iteration === of && !isOpen && { proof_holds: true }),
    tools_used: ["Read", "Edit", "Bash"],
  };
}

/** A run of so many iterations; it is still running, or was completed and proved. */
export function runOf(number: number, iterations: number, isRunning: boolean): TaskView {
  const judged = isRunning ? iterations - 1 : iterations;
  const rows = CRITERIA.map((criterion) => ({ ...criterion, cells: cellsOf(criterion.id, judged) }));
  const row = rowOf(number);
  const timeline = Array.from({ length: iterations }, (_, index) => iterationOf(index + 1, iterations, isRunning));
  return {
    ...row,
    status: isRunning ? "running" : "completed",
    iterations,
    max_iterations: Math.max(10, iterations),
    criteria: rows.length,
    criteria_met: rows.filter(({ cells }) => cells.at(-1)?.is_met).length,
    task: "The totals of a cart are wrong when its lines have several tax rates: each line is rounded. Make them right. Keep the public functions as they are.",
    refined_task: "Correct the totals of carts whose lines have several tax rates, without changing public signatures.",
    notes: [{ text: "Use integer cents, as the invoice module does.", given_at: "2026-03-04T09:12:00Z" }],
    questions: [],
    answers: [{ question: "May README be changed?", answer: "Yes, the section on rounding." }],
    rows,
    timeline,
    usage_by_role: {
      executor: { tokens: 160_000, cost_usd: 1.31, seconds: 1400 },
      judge: { tokens: 21_000, cost_usd: 0.12, seconds: 90 },
      summarizer: { tokens: 11_000, cost_usd: 0.04, seconds: 60 },
      checks: { tokens: 0, cost_usd: 0, seconds: 130 },
    },
    budget: { cost_usd: 5, minutes: 120 },
    effects: [{ what: "comment on issue 12", stage: "done", at: "2026-03-04T09:50:00Z" }],
    ...(isRunning ? {} : { next: `e8 diff ${row.task_id}` }),
    seq: 40,
  };
}
