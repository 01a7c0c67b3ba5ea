import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fault, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Scene } from "../../src/connection/agents/scripted/model/story.ts";
import { processTable } from "../../src/connection/processes/process-table.ts";
import { eventually } from "../connection/processes/helpers.ts";
import { countingClaude } from "../support/counting-claude.ts";
import { resultOf, type Sandbox, sandbox } from "../support/sandbox.ts";
import { accepts, always, judges, summarizes, works } from "../support/stories.ts";

/** One iteration whose words are known by its number. */
function iteration(n: number, isLast: boolean): Scene[] {
  return [
    works(`OUTPUT-${n}`, { say: `SAID-${n}`, ...use("Write", { file_path: `step-${n}.txt`, content: `${n}\n` }) }),
    summarizes(`SUMMARY-${n}`),
    judges(isLast, [{ id: 1, is_met: isLast, evidence: `EVIDENCE-${n}` }]),
  ];
}

/** A sandbox in which every start of Claude Code is counted. */
async function countingBox(...scenes: Scene[]) {
  const box = await sandbox(story(...scenes));
  const { executable, starts } = await countingClaude(box.home);
  await box.write("endless8.yaml", JSON.stringify({ claude_options: { executable } }));
  return { ...box, starts };
}

/** Every process of the sandbox's one task. */
async function alive(box: Sandbox): Promise<number[]> {
  const [id = ""] = await box.tasks();
  return [...processTable().carrying(`ENDLESS8_TASK=${join(box.project, ".e8", "tasks", id)}`)];
}

const RUN = ["run", "Take three steps", "-c", "All steps are taken", "--json"];

test("three iterations need two processes, and every answer has a fresh context", async () => {
  const box = await countingBox(accepts("x"), ...[1, 2, 3].flatMap((n) => iteration(n, n === 3)));

  const ended = await box.e8([...RUN, "--max-iterations", "3"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 3 });
  expect(await box.starts()).toBe(2); // one works, one is asked in all other roles
  const asked = (who: string) => box.model.requests.filter((request) => request.who === who);
  for (const who of ["summarizer", "judge"]) {
    const texts = asked(who).map(({ body }) => JSON.stringify(body));
    expect(texts).toHaveLength(3);
    for (const [index, text] of texts.entries()) {
      const others = [1, 2, 3].filter((n) => n !== index + 1);
      for (const n of others) expect(text).not.toMatch(new RegExp(`(OUTPUT|SAID|SUMMARY|EVIDENCE)-${n}`));
    }
  }
  for (const { body } of asked("executor").slice(2)) expect(JSON.stringify(body)).not.toContain("SAID-1");
  expect(await alive(box)).toEqual([]);
});

test("checks alone start no process but the executor's, and none is left", async () => {
  const box = await countingBox(...[1, 2].map((n) => iteration(n, false)[0] as Scene));
  await box.write(
    "task.yaml",
    "task: x\ncriteria: [{type: command, command: test -f step-2.txt}]\nmodels: {summarizer: none}\n",
  );

  const ended = await box.e8(["run", "--config", "task.yaml", "--no-intake", "--json", "--max-iterations", "2"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(await box.starts()).toBe(1);
  expect(await alive(box)).toEqual([]);
});

describe("with warm processes waiting, nothing is left", () => {
  const [work, summary] = iteration(1, false) as [Scene, Scene];
  const stalled = [accepts("x"), work, summary, always(scene("judge", fault({ kind: "stall" })))];

  /** A run whose judge thinks for ever, while the executor waits. */
  async function waitingRun() {
    const box = await countingBox(...stalled);
    const run = box.start(RUN);
    await eventually("the judge is asked", () => box.model.requests.some(({ who }) => who === "judge"));
    expect((await alive(box)).length).toBeGreaterThanOrEqual(2);
    return { box, run };
  }

  test("after Ctrl-C", async () => {
    const { box, run } = await waitingRun();

    run.child.kill("SIGINT");
    const ended = await run.ended;

    expect(ended.code, ended.stderr).toBe(3);
    expect(await alive(box)).toEqual([]);
  });

  test("after Ctrl-C pressed twice", async () => {
    const { box, run } = await waitingRun();

    run.child.kill("SIGINT");
    run.child.kill("SIGINT");
    const ended = await run.ended;

    expect(ended.code, ended.stderr).toBe(3);
    expect(await alive(box)).toEqual([]);
  });

  test("after kill -9, and the task can be resumed", async () => {
    const { box, run } = await waitingRun();

    run.child.kill("SIGKILL");
    await run.ended;

    await eventually("all are gone", async () => (await alive(box)).length === 0);
    const resumed = await box.e8(["run", "--resume", "--json", "--max-time", "1s"]);
    expect(resultOf(resumed)).toMatchObject({ stop_reason: "budget_time", iterations_used: 1 });
    expect(await alive(box)).toEqual([]);
  });

  test("after an error that ends the run", async () => {
    const refused = scene("judge", { ...fault(403), times: 9 });
    const box = await countingBox(accepts("x"), work, summary, refused);

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stderr).toBe(2);
    expect(resultOf(ended)).toMatchObject({ error_code: "authentication" });
    expect(await alive(box)).toEqual([]);
  });
});
