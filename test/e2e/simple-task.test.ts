import { expect, test } from "vitest";
import type { LoopResult } from "../../src/model/records.ts";
import { quickSandbox } from "../support/in-process.ts";

/** A worker that knows nothing but its prompt. It takes what is asked for literally, and mends what it is told is missing. */
const WORKER = `prompt=$(cat)
says() { grep -qF "$1" <<< "$prompt"; }
if says "Write a greeting"; then
  if says "expected a greeting of Ada"; then echo "Hello Ada" > greeting.txt; else echo "Hello" > greeting.txt; fi
fi
if says "Add a sum"; then
  echo "add() { echo \\$((\\$1 + \\$2)); }" > sum.sh
  if says "sum.sh: no help"; then echo "# usage: add 1 2" >> sum.sh; fi
  if says "sum.sh: no version"; then echo "version=1" >> sum.sh; fi
fi
if says "Translate"; then printf 'こんにちは\\n' > ja.txt; fi
echo "done"
`;

test.each([
  {
    name: "is right at once",
    task: "Translate hello into ja.txt",
    checks: ["grep -qx こんにちは ja.txt"],
    iterations: 1,
  },
  {
    name: "was misunderstood, and the check says what it expects",
    task: "Write a greeting",
    checks: ["grep -qx 'Hello Ada' greeting.txt || { echo expected a greeting of Ada; exit 1; }"],
    iterations: 2,
  },
  {
    name: "misses one thing, then another",
    task: "Add a sum",
    checks: [
      ". ./sum.sh; test $(add 1 2) = 3",
      "grep -q usage sum.sh || { echo sum.sh: no help; exit 1; }",
      "! grep -q usage sum.sh || grep -q version sum.sh || { echo sum.sh: no version; exit 1; }",
    ],
    iterations: 3,
  },
])("[SC-001] a simple task that $name takes $iterations of at most 3 iterations", async (simple) => {
  const { task, checks, iterations } = simple;
  const { e8, write } = await quickSandbox();
  await write("worker.sh", WORKER);
  // In files, so that the prompt does not hold what a check expects before it has failed.
  for (const [index, check] of checks.entries()) await write(`check-${index}.sh`, check);

  const flags = checks.flatMap((_, index) => ["--check", `bash check-${index}.sh`]);
  const ended = await e8(["run", task, ...flags, "--agent-command", "bash worker.sh", "-n", "3", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout) as LoopResult).toMatchObject({ status: "completed", iterations_used: iterations });
});
