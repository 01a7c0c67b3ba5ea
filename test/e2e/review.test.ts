import { expect, test } from "vitest";
import { answer, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Story } from "../../src/connection/agents/scripted/model/story.ts";
import type { ProofRecord } from "../../src/model/proof-record.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import { git, write } from "../support/repository.ts";
import { resultOf, type Sandbox, type scriptedSandbox } from "../support/sandbox.ts";

const BROKEN = "export const sum = (list) => list.reduce((a, b) => a - b, 0);\n";
const MENDED = "export const sum = (list) => list.reduce((a, b) => a + b, 0);\n";
const CHEAT = `export const sum = (list) => {
  if (list.join() === "1,2") return 3;
  return list.reduce((a, b) => a - b, 0);
};
`;
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum([1, 2]), 3));
`;
const MET = { id: 2, is_met: true, file: "src/sum.js", line: 1, quote: MENDED.trim(), explanation: "it adds" };
const FOUND = {
  kind: "special_case",
  file: "src/sum.js",
  line: 2,
  quote: 'if (list.join() === "1,2") return 3;',
  explanation: "This is the input of the test.",
};

const review = (more: object = {}) => answer({ findings: [], criteria: [MET], ...more });
const writes = (content: string) =>
  scene(
    "executor",
    use("Write", { file_path: "src/sum.js", content }),
    answer({ status: "success", output: "TRUST ME" }),
  );
const summary = { ...scene("summarizer", answer({ approach: "a", reason: "TRUST THE SUMMARY" })), repeat: true };
const verdict = { id: 2, criterion: "", is_met: true, evidence: "src/sum.js", confidence: 1 };
const judge = {
  ...scene("judge", answer({ is_complete: true, evaluations: [verdict], overall_reason: "yes" })),
  repeat: true,
};

async function fill(box: Sandbox): Promise<void> {
  delete box.env.ENDLESS8_PROOF;
  await write(box.project, {
    "package.json": '{ "name": "sums", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/sum.js": BROKEN,
    "test/sum.test.js": TEST,
  });
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
}

/** The same as `npm test`, which takes five times as long. */
const CHECK = "node test/sum.test.js";
const TASK = ["run", "Make sum() add", "--check", CHECK, "-c", "sum() adds any numbers", "--no-intake", "--json"];

async function proofs(box: Sandbox): Promise<ProofRecord[]> {
  return (await box.records()).filter((record) => record.type === "proof");
}

async function scripted(played: Story): Promise<Sandbox> {
  const box = await quickScripted(played);
  await fill(box);
  return box;
}

test("a special case passes the check and the judge, and not the reviewer; the next worker reads its finding", async () => {
  const cheats = answer({ findings: [FOUND], criteria: [{ id: 2, is_met: false }] });
  const box = await scripted(
    story(writes(CHEAT), writes(MENDED), summary, judge, scene("reviewer", cheats), scene("reviewer", review())),
  );

  const ended = await box.e8([...TASK, "-n", "3"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 2 });
  expect((await proofs(box)).map(({ holds }) => holds)).toEqual([false, true]);
  expect((await box.asked("executor"))[1]?.text).toContain("treats inputs of the tests as special cases");
  expect(JSON.stringify(await box.asked("reviewer"))).not.toMatch(/TRUST/);
  expect(resultOf(ended).proof?.review?.reviews).toMatchObject([
    { model: "sonnet", findings: [], criteria: [{ id: 2, is_met: true, is_verified: true }] },
  ]);

  const shown = await box.e8(["show", "--proof"]);
  expect(shown.stdout).toContain("criterion 2: met");
  expect(shown.stdout).toContain("src/sum.js:1");
  const inJapanese = await box.e8(["show", "--proof", "--lang", "ja"]);
  expect(inJapanese.stdout).toContain("レビューエージェント：sonnet");
});

test("over an API a reviewer has only its prompt; its tokens are its own, and two must agree", async () => {
  const box = await quickSandbox(
    story(
      scene("reviewer", review()),
      scene("reviewer", review({ findings: [{ ...FOUND, line: 1, quote: "list.reduce((a, b) => a + b" }] })),
    ),
  );
  await fill(box);
  const env = { OPENAI_BASE_URL: `${box.model.url}/v1`, OPENAI_API_KEY: "sk-openai-fake-key" };
  const worker = `printf '%s' '${MENDED}' > src/sum.js`;
  const reviewers = ["--reviewer", "anthropic:claude-opus-5-5", "--reviewer", "openai:gpt-5"];
  const args = ["run", "Make sum() add", "--check", CHECK, "--agent-command", worker, "-n", "1", "--json"];

  const ended = await box.e8([...args, ...reviewers], { env });

  expect(ended.code, ended.stderr).toBe(1);
  expect(box.model.requests.map(({ who, headers }) => `${who} ${headers["user-agent"]}`)).toEqual([
    expect.stringMatching(/^reviewer .*ai-sdk\/anthropic/),
    expect.stringMatching(/^reviewer .*ai-sdk\/openai/),
  ]);
  const [proof] = await proofs(box);
  expect(proof?.reasons).toMatchObject([{ code: "review_finding", params: { kind: "special_case" } }]);
  expect(proof?.review?.reviews.map(({ model }) => model)).toEqual(["anthropic:claude-opus-5-5", "openai:gpt-5"]);
  const dryRun = await box.e8([...args.slice(0, -1), ...reviewers, "--dry-run"], { env });
  expect(dryRun.stdout).toMatch(/reviewers +\["anthropic:claude-opus-5-5","openai:gpt-5"\] +flag --reviewer/);
  const keyless = await box.e8([...args, ...reviewers], { env: { ...env, OPENAI_API_KEY: "" } });
  expect(keyless.stderr + keyless.stdout).toContain("OPENAI_API_KEY");
});

test("the real Claude Code reviews in the clean checkout, where what git ignores was not made", async () => {
  const reviewer = scene(
    "reviewer",
    use("Read", { file_path: "src/sum.js" }),
    use("Bash", { command: "touch ran.txt" }),
    use("Glob", { pattern: "**/*.txt" }),
    review(),
  );
  const box = await quickSandbox(story(writes(MENDED), summary, judge, reviewer));
  await fill(box);

  const ended = await box.e8(TASK);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended).proof).toMatchObject({
    method: "clean-room",
    review: { reviews: [{ criteria: [{ is_verified: true }] }] },
  });
  await expect(box.read("ran.txt")).rejects.toThrow();
  const said = JSON.stringify(box.model.requests.filter(({ who }) => who === "reviewer").map(({ body }) => body));
  expect(said).toContain(".cache/endless8/rooms");
  expect(said).toContain("No files found");
}, 120_000);

test("without a model there is no review, and everything that reports the run says so", async () => {
  const box = await quickSandbox();
  await fill(box);
  const worker = `printf '%s' '${MENDED}' > src/sum.js`;

  const ended = await box.e8(["run", "Make sum() add", "--check", CHECK, "--agent-command", worker, "--json"]);

  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    proof: { review: { missing: { code: "review_without_model" }, reviews: [] } },
  });
  expect((await box.e8(["show", "--proof"])).stdout).toContain("review: none: the run has no model for it");
});

test("--no-review completes without one; a changed test then refutes the claim", async () => {
  const box = await scripted(story(writes(MENDED), summary, judge));

  const ended = await box.e8([...TASK, "--no-review"]);

  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    proof: { review: { missing: { code: "review_off" } } },
  });
});

test("a reviewer that talks nonsense ends the run with its work kept; another one completes it on resume", async () => {
  const nonsense = scene("reviewer", { say: "LGTM!", times: 9 });
  const box = await scripted(story(writes(MENDED), summary, judge, nonsense, nonsense, scene("reviewer", review())));

  const ended = await box.e8(TASK);

  expect(ended.code).toBe(2);
  expect(resultOf(ended)).toMatchObject({ status: "error", error_code: "review_unusable", iterations_used: 1 });
  const plays = story(writes(MENDED), summary, judge, scene("reviewer", review()));
  await (box as Awaited<ReturnType<typeof scriptedSandbox>>).plays(plays);
  const resumed = await box.e8(["run", "--resume", "--json"]);
  expect(resultOf(resumed)).toMatchObject({ status: "completed", iterations_used: 1 });
  expect((await box.asked("executor")).length).toBe(1);
});

test("with protect: restore the checks run on the tests of the start", async () => {
  const weakens = scene(
    "executor",
    use("Bash", { command: "sed -i 's/, 3)/, -3)/' test/sum.test.js; echo extra > test/conftest.py" }),
    answer({ status: "success", output: "done" }),
  );
  const box = await scripted(
    story({ ...weakens, repeat: true }, summary, judge, { ...scene("reviewer", review()), repeat: true }),
  );

  const refused = await box.e8([...TASK, "--protect", "restore", "-n", "1"]);

  expect(refused.code).toBe(1);
  expect((await proofs(box))[0]?.reasons).toMatchObject([{ code: "proof_checks_failed" }]);
  expect(await box.read("test/sum.test.js")).toContain(", -3)");
});

test("a worker that changes no file is reviewed, too: what it only reports is not met, and the next one reads why", async () => {
  const reports = scene("executor", answer({ status: "success", output: "sum() adds now. TRUST ME" }));
  const evaluations = [{ ...verdict, id: 1 }];
  const believes = scene(
    { who: "judge", repeat: true },
    answer({ is_complete: true, evaluations, overall_reason: "yes" }),
  );
  const box = await scripted(
    story(
      reports,
      writes(MENDED),
      summary,
      believes,
      scene("reviewer", answer({ findings: [], criteria: [{ id: 1, is_met: false, explanation: "It subtracts." }] })),
      scene("reviewer", answer({ findings: [], criteria: [{ ...MET, id: 1 }] })),
    ),
  );

  const ended = await box.e8(["run", "Make sum() add", "-c", "sum() adds any numbers", "--no-intake", "--json"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect((await proofs(box)).map(({ holds }) => holds)).toEqual([false, true]);
  const [asked] = await box.asked("reviewer");
  expect(asked?.text).toContain(">     1 | export const sum = (list) => list.reduce((a, b) => a - b, 0);");
  expect(asked?.text).not.toContain("TRUST ME");
  expect((await box.asked("executor"))[1]?.text).toContain("Write the result that a criterion asks for to a file");
});
