import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum([1, 2]), 3));
`;
const MEND = "echo 'export const sum = (list) => list.reduce((a, b) => a + b, 0);' > src/sum.js";

/** A repository with a failing test; the proof is on, as it is for users. */
async function project(): Promise<Sandbox> {
  const box = await quickSandbox();
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "package.json": '{ "name": "sums", "private": true, "type": "module" }\n',
    "src/sum.js": "export const sum = (list) => list.reduce((a, b) => a - b, 0);\n",
    "test/sum.test.js": TEST,
    ".gitignore": "dist/\n",
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
  return box;
}

function run(box: Sandbox, worker: string, ...flags: string[]) {
  const check = flags.includes("--check") ? [] : ["--check", "node --test --test-reporter=tap"];
  return box.e8(["run", "Make sum() add", "--agent-command", worker, "-n", "1", ...check, ...flags]);
}

describe("a claim that its proof refutes", () => {
  const NO_TESTS = "echo 'process.exit(0); export const sum = 0;' > src/sum.js; rm test/sum.test.js";

  test("is told as refuted, with the findings and the output of the failed check, wherever a run is looked at", async () => {
    const box = await project();
    const ended = await run(box, NO_TESTS);
    const told = [
      ended.stderr,
      ended.stdout,
      (await box.e8(["show"])).stdout,
      (await box.e8(["show", "--proof"])).stdout,
    ];

    expect(ended.code).toBe(1);
    for (const text of told) {
      expect(text).toContain("D test/sum.test.js");
      expect(text).toMatch(/✘ not met {2}1\. .*\n +it passes, but ran 0 tests.*\n(?: +.*\n)* +# tests 0$/m);
    }
    for (const text of told.slice(1))
      expect(text).toContain("proof: the claim of iteration 1 is refuted; the checks ran again in a clean");
    expect(ended.stdout).not.toContain("✔ met");
    expect(ended.stdout).not.toContain("The check passed");
    const comment = (await box.e8(["report", "--md"])).stdout;
    expect(comment).toContain("The claim of iteration 1 is refuted.");
    expect(comment).toMatch(/ran 0 tests, and 1 before(?:.*\n)*?# tests 0/);
    expect(comment).not.toContain("✅");
  });

  test("is not complete in the result, which has the findings and the failed output", async () => {
    const box = await project();
    const result = resultOf(await run(box, NO_TESTS, "--json"));

    expect(result).toMatchObject({
      status: "max_iterations",
      proof: {
        ...{ method: "clean-room", holds: false, iteration: 1, checks: [{ before: false, after: false }] },
        reasons: [{ code: "proof_checks_failed" }, { code: "protected_changed" }],
        sandbox: { level: "contain" },
      },
      final_judgment: {
        is_complete: false,
        evaluations: [
          { is_met: false, outcome: { code: "fewer_tests" }, evidence: expect.stringContaining("# tests 0") },
        ],
        overall_reason: expect.stringContaining("D test/sum.test.js"),
      },
    });
    const shown = JSON.parse((await box.e8(["show", "--proof", "--json"])).stdout);
    expect(shown).toMatchObject({ holds: false, evaluations: [{ evidence: expect.stringContaining("ran 0 tests") }] });
  });

  test("shows what a check said that fails in the clean checkout only", async () => {
    const box = await project();
    const check = "test -e dist/ok || { echo dist/ok is missing; exit 3; }";
    const ended = await run(box, "mkdir -p dist; echo ok > dist/ok", "--check", check, "--proof", "clean");

    expect(ended.stdout).toMatch(/✘ not met .*\n +exit code 3 .*output ends with:\n +dist\/ok is missing$/m);
    expect(ended.stdout).toMatch(/checks: 1 failed after the work$/m);
    expect((await box.e8(["show"])).stdout).toMatch(/^ {2}1\. .*✘$/m);
  });

  test("stays in the report while no later claim is made", async () => {
    const box = await project();
    const ended = await run(
      box,
      "[ -e seen ] && echo 'throw 1' > test/sum.test.js || echo > test/sum.test.js; touch seen",
      "-n",
      "2",
    );

    expect(ended.stdout).toMatch(/✘ not met {2}1\. /);
    expect(ended.stdout).toContain("proof: the claim of iteration 1 is refuted;");
    expect(ended.stdout).toContain("M test/sum.test.js");
  });

  test("is forgotten once a later one holds", async () => {
    const box = await project();
    const worker = `if [ -e seen ]; then git checkout -q test; ${MEND}; else touch seen; echo > test/sum.test.js; fi`;
    const result = resultOf(await run(box, worker, "-n", "2", "--json"));

    expect(result).toMatchObject({
      ...{
        status: "completed",
        final_judgment: { is_complete: true },
        proof: { holds: true, iteration: 2, reasons: [] },
      },
    });
  });
});

describe("a run that has proved nothing says how its verdict was reached", () => {
  test.each([
    ["as asked", [MEND, "--proof", "none"], "unproved_as_asked", { before: null, after: true }],
    ["because it never claimed to be done", ["true"], "unproved_open", { before: false, after: false }],
  ] as const)("%s", async (_, [worker, ...flags], code, check) => {
    const box = await project();
    const result = resultOf(await run(box, worker, ...flags, "--json"));

    expect(result).toMatchObject({
      proof: { method: "none", holds: null, checks: [{ id: 1, ...check }], sandbox: { level: "contain" } },
      unproved: { code },
    });
    const { stdout } = await box.e8(["show", "--proof"]);
    expect(stdout).toMatch(/^proof: none/m);
    expect(stdout).toMatch(/ {2}[?✘] → [✔✘]$/m);
    expect(stdout).toMatch(/^sandbox: contain/m);
  });

  test("because there was nothing to do", async () => {
    const box = await project();
    const ended = await run(box, "true", "--check", "test -e src/sum.js");

    expect(ended.stdout).toMatch(
      /^proof: none is needed; every check passed before any work\n {2}checks: 1 passed before/m,
    );
    expect((await box.records()).at(-1)).toMatchObject({
      stop_reason: "already_true",
      proof: { method: "none", holds: null, checks: [{ id: 1, before: true, after: true }] },
    });
  });
});
