import type { TaskView } from "../../../src/model/dashboard.ts";

type Proof = NonNullable<TaskView["proof"]>;

const MODEL = "claude-opus";

export function proofOf(iteration: number): Proof {
  return {
    type: "proof",
    iteration,
    holds: true,
    method: "clean-room",
    weaker: ["The sandbox of this machine keeps the worker from the network only."],
    start: "4f0c1e2",
    commit: "9ab34cd",
    checks: [
      { id: 1, criterion: "npm test", before: false, after: true, passes: { passed: 3, needed: 3 }, is_flaky: true },
      { id: 4, criterion: "test/** stays as it is", before: true, after: true, is_in_place: true },
    ],
    judged: [{ id: 2, criterion: "Totals are rounded once, at the end, and README says so", is_met: true }],
    protected_changes: [
      { path: "package.json", status: "modified", why: "configuration" },
      { path: "test/fixtures/rates.json", status: "added", why: "test", is_allowed: true },
    ],
    protection: "review",
    made_since: ["coverage/lcov.info"],
    review: {
      cut_files: ["package-lock.json"],
      reviews: [
        {
          model: MODEL,
          findings: [
            {
              kind: "special_case",
              file: "src/cart.ts",
              line: 14,
              quote: "  if (lines.length === 0) return 0;",
              is_verified: false,
              explanation: "An empty cart is treated apart; that is not a special case for the check.",
            },
          ],
          criteria: [
            {
              id: 2,
              criterion: "Totals are rounded once, at the end, and README says so",
              is_met: true,
              file: "src/cart.ts",
              line: 16,
              quote: "  return Math.round(cents) / 100;",
              is_verified: true,
              explanation: "Rounding happens here only.",
            },
          ],
          protected_files: [
            {
              file: "package.json",
              line: 7,
              quote: '"test": "vitest run"',
              is_verified: true,
              explanation: "Only the description has changed.",
              is_demanded: true,
              demand: "Make them right.",
              is_demand_verified: true,
            },
          ],
          ignored_files: null,
        },
      ],
    },
    evaluations: [],
    reasons: [],
    timestamp: "2026-03-04T09:58:00Z",
  };
}
