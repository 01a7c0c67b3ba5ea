import { describe, expect, test } from "vitest";
import type { ProofRecord } from "../../src/model/proof-record.ts";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum([1, 2]), 3));
test("adds nothing", () => assert.equal(sum([]), 0));
`;
const MEND = "printf 'export const sum = (list) => list.reduce((a, b) => a + b, 0);\\n' > src/sum.js";
/** Ends the process while the tests load, so that the runner says nothing. */
const SILENCE = "echo 'process.exit(0); export function sum() {}' > src/sum.js";

/** A repository with a failing test, whose runner is the file itself; the proof is on, as it is for users. */
async function project(more: Record<string, string> = {}): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "package.json": '{ "name": "sums", "private": true, "type": "module" }\n',
    "src/sum.js": "export const sum = (list) => list.reduce((a, b) => a - b, 0);\n",
    "test/sum.test.js": TEST,
    ...more,
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  return box;
}

function run(box: Sandbox, worker: string, check: string) {
  return box.e8(["run", "Make sum() add", "--agent-command", worker, "-n", "2", "--json", "--check", check]);
}

async function proofs(box: Sandbox): Promise<ProofRecord[]> {
  return (await box.records()).filter((record) => record.type === "proof");
}

describe("a check that prints its tests only when they fail is believed when it is silent", () => {
  const script = "node test/sum.test.js >test.log 2>&1\nstatus=$?\n[ $status = 0 ] || cat test.log\nexit $status\n";

  test.each([
    ["in a variable", 'o=$(node test/sum.test.js 2>&1) || { echo "$o"; exit 1; }'],
    ["in a file", "node test/sum.test.js >l 2>&1 || (tail -50 l; false)"],
    ["in a script", "sh ci.sh"],
  ])("%s", async (_, check) => {
    const box = await project({ "ci.sh": script, ".gitignore": "*.log\nl\n" });

    const ended = await run(box, MEND, check);

    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 1 });
    expect((await proofs(box))[0]?.checks).toMatchObject([{ before: false, after: true }]);
  });
});

test("a runner that shows its tests and is made silent refutes the claim, and is not called flaky", async () => {
  const box = await project();

  expect((await run(box, SILENCE, "node test/sum.test.js")).code).toBe(1);

  const all = await proofs(box);
  expect(all).toHaveLength(2);
  for (const { evaluations, checks } of all) {
    expect(evaluations).toMatchObject([{ is_met: false, outcome: { code: "fewer_tests" } }]);
    expect(evaluations[0]?.is_flaky ?? checks[0]?.is_flaky).toBeUndefined();
  }
});
