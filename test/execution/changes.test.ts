import { expect, test } from "vitest";
import { MOST_CHANGED } from "../../src/model/limits.ts";
import { runGoal } from "../support/run-goal.ts";

const criteria = [{ command: "test" }];

test("without git, the result has the files that iterations were seen to change, each once", async () => {
  const { result } = await runGoal({ criteria, checks: [1, 0], changes: [["a.txt"], ["a.txt", "b.txt"]] });

  expect(result).toMatchObject({
    changed_files: [{ path: "a.txt", status: null, added: null }, { path: "b.txt" }],
    change_totals: { files: 2, added: 0, removed: 0 },
  });
});

test("a record lists so many changed files, and counts all of them", async () => {
  const changes = Array.from({ length: 11 }, (_, round) => Array.from({ length: 100 }, (_, n) => `${round}-${n}.txt`));
  const checks = [...changes.slice(1).map(() => 1), 0];

  const { result } = await runGoal({ criteria, checks, changes, settings: { max_iterations: 11 } });

  expect(result.changed_files).toHaveLength(MOST_CHANGED);
  expect(result.change_totals?.files).toBe(1100);
});
