import { expect, test } from "vitest";
import { answer, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickScripted } from "../support/in-process.ts";
import { git } from "../support/repository.ts";
import { recorded } from "../support/run-goal.ts";
import { resultOf, type Sandbox } from "../support/sandbox.ts";

const RUN = ["run", "Explain the tests", "-c", "README.md explains the tests", "--no-intake", "--json"];

const report = (output: string) => answer({ status: "success", output, artifacts: [] });
const verdict = (is_met: boolean) =>
  answer({
    is_complete: is_met,
    evaluations: [{ id: 1, criterion: "", is_met, evidence: "README.md", confidence: 1 }],
    overall_reason: "looked",
  });
const writes = (content: string) => use("Write", { file_path: "README.md", content });

async function committed(box: Sandbox): Promise<void> {
  await box.write("README.md", "# Sums\n");
  await box.write(".gitignore", ".e8/\ncount.log\n");
  await git(box.project, "init", "-q");
  await git(box.project, "add", "-A");
  await git(box.project, "commit", "-q", "-m", "start");
}

test("a worker that only words its report anew is not judged again, and the run stalls", async () => {
  const box = await quickScripted(
    story(
      scene("executor", writes("# Sums\n\nno\n"), report("I explained them")),
      scene({ who: "executor", repeat: true }, report("I really explained them")),
      scene("judge", verdict(false)),
      scene({ who: "judge", repeat: true }, verdict(true)),
    ),
    { models: { summarizer: "none" }, stall_limit: 2 },
  );
  await committed(box);

  const ended = await box.e8(RUN);

  expect(resultOf(ended)).toMatchObject({ status: "stalled", iterations_used: 3 });
  expect(await box.asked("judge")).toHaveLength(1);
  const judgments = recorded(await box.records(), "judgment");
  expect(judgments.map(({ reasons = [] }) => reasons.map(({ code }) => code))).toEqual([
    [],
    ["not_judged_again"],
    ["not_judged_again"],
  ]);
});

test("a commit is something new to judge", async () => {
  const commit = "git -c user.name=t -c user.email=t@example.com commit -qam work";
  const box = await quickScripted(
    story(
      scene("executor", writes("# Sums\n\nRun npm test.\n"), report("wrote it")),
      scene("executor", use("Bash", { command: commit }), report("committed it")),
      scene("judge", verdict(false)),
      scene({ who: "judge", repeat: true }, verdict(true)),
    ),
    { models: { summarizer: "none" } },
  );
  await committed(box);

  expect(resultOf(await box.e8(RUN))).toMatchObject({ status: "completed", iterations_used: 2 });
  const [, second] = recorded(await box.records(), "summary");
  expect(second?.is_unchanged).toBeUndefined();
});

test("the proof asks a second judge; its doubt opens the next worker's prompt", async () => {
  const box = await quickScripted(
    story(
      scene("executor", writes("# Sums\n\nno\n"), report("I explained them")),
      scene("executor", writes("# Sums\n\nRun npm test.\n"), report("now they are")),
      scene("judge", verdict(true)),
      scene("judge", verdict(false)),
      scene({ who: "judge", repeat: true }, verdict(true)),
    ),
    { models: { summarizer: "none" } },
  );
  delete box.env.ENDLESS8_PROOF;
  await committed(box);

  const ended = await box.e8([...RUN, "-n", "2", "--no-review"]);

  expect(resultOf(ended)).toMatchObject({
    status: "completed",
    iterations_used: 2,
    proof: { judged: [{ id: 1, is_met: true }] },
  });
  expect(recorded(await box.records(), "proof").map(({ holds }) => holds)).toEqual([false, true]);
  expect((await box.asked("executor"))[1]?.text).toContain("A second judge");
  expect(await box.asked("judge")).toHaveLength(4);
});

test("a check that wavers on the same files must pass three times in a row, and the report says so", async () => {
  const box = await quickScripted(story(scene({ who: "executor", repeat: true }, report("looked at it"))), {
    models: { summarizer: "none" },
  });
  await box.write("check.sh", "echo run >> count.log; test $(wc -l < count.log) -ge 2\n");
  await committed(box);

  const ended = await box.e8(["run", "Make it pass", "--check", "sh check.sh", "-n", "3"]);

  expect(ended.code, ended.stdout).toBe(0);
  expect((await box.read("count.log")).trim().split("\n")).toHaveLength(4);
  expect(ended.stdout).toContain("flaky: failed and passed on the same files; 3 of 3 passes in a row");
  expect((await box.e8(["show"])).stdout).toContain("flaky");
});
