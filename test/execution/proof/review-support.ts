import type { ProofScene } from "../../support/fakes.ts";
import { type GoalOptions, runGoal } from "../../support/run-goal.ts";

export const TEXT = "export const sum = (a, b) => {\n  if (a === 1) return 3;\n  return a - b;\n};\n";
export const DIFF = `diff --git a/src/sum.js b/src/sum.js
index 1..2 100644
--- a/src/sum.js
+++ b/src/sum.js
@@ -1,3 +1,4 @@
 export const sum = (a, b) => {
+  if (a === 1) return 3;
   return a - b;
 };
`;
export const WORK: ProofScene = {
  changes: [{ path: "src/sum.js", status: "modified", added: 1, removed: 0 }],
  diffs: { "src/sum.js": DIFF },
  texts: { "src/sum.js": TEXT },
};
export const PLACE = { file: "src/sum.js", line: 2, quote: "if (a === 1) return 3;", explanation: "only for the test" };
export const FINDING = { kind: "special_case" as const, ...PLACE };

/** A task with one check, red before the work, and one reviewer. */
export function run(more: Partial<GoalOptions> = {}) {
  let runs = 0;
  return runGoal({
    criteria: [{ command: "npm test" }],
    checks: () => (++runs > 1 ? 0 : 1),
    proof: WORK,
    ...more,
    settings: { proof: "auto", max_iterations: 2, reviewers: ["m"], ...more.settings },
  });
}
