import { expect, test, vi } from "vitest";
import { answer, scene, story } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { FlowPosition } from "../../../src/model/flow/position.ts";
import { answers, promptsOf, type StepSketch, says, summaries, writeAgent } from "../../support/agents.ts";
import { type GithubServer, startGithub } from "../../support/github-server.ts";
import { quickSandbox } from "../../support/in-process.ts";
import { resultOf, type Sandbox } from "../../support/sandbox.ts";
import { judgmentsThatCount, killSomewhere, randomFrom } from "../../support/seeded-kill.ts";

/** Slow enough to be hit in the middle. */
const runner = { command: "sh", args: ["-c", 'sleep 0.05; cat "$E8_ITERATION.json"'] };
const STEPS: StepSketch[] = [
  {
    id: "initial.plan",
    go: { next: "continuation.work" },
    properties: { plan: { type: "string" } },
    gate: { handoffFields: ["plan"] },
  },
  {
    id: "continuation.work",
    go: { next: "closure.task" },
    properties: { done: { type: "number" } },
    gate: { handoffFields: ["done"] },
  },
  { id: "closure.task", go: { closing: null, repeat: "continuation.work" } },
];
const ANSWERS = [
  says("next", { plan: "in small steps" }),
  says("next", { done: 1 }),
  says("closing"),
  says("next", { done: 2 }),
  says("closing"),
  says("next", { done: 3 }),
  says("closing"),
];
const RUN = ["agent", "run", "small", "--issue", "5"];

/** Every moment between two records is tried in test/compose/kill-points.test.ts; here a few real processes are really killed. */
test.for([{ seeds: [1, 2, 3] }])(
  "killed -9 at the moments of $seeds, a run goes on at the same step, and its issue is closed once",
  async ({ seeds }) => {
    const whole = await ready();
    await whole.box.e8(RUN, { env: whole.env });
    const expected = await positions(whole.box);
    expect(expected.map(({ attempts }) => attempts["closure.task"] ?? 0)).toEqual([0, 0, 1, 1, 2, 2, 2]);

    await Promise.all(seeds.map((seed) => survives(seed, expected)));
  },
);

test.for([
  { moment: "the issue was closed", method: "PATCH", done: true },
  { moment: "the issue was asked to be closed", method: "PATCH", done: false },
  { moment: "the issue was labelled", method: "POST", done: true },
])("killed -9 right after $moment, a run makes good what is missing, and nothing twice", async ({ method, done }) => {
  const { box, env, github } = await ready();
  github.troubles.push({ status: 200, method, done, body: "hang" });
  const { child, ended } = box.start(RUN, { env });
  await vi.waitUntil(() => github.requests.some((line) => line.startsWith(method)), { timeout: 60_000 });
  const labelled = github.requests.filter((line) => line.startsWith("POST ")).length;
  child.kill("SIGKILL");
  await ended;

  const resumed = await box.e8(["run", "--resume", "--json"], { env });

  expect(resumed.code, resumed.stderr).toBe(0);
  expect(github.issues.get(5)).toMatchObject({ state: "closed", labels: ["done"] });
  const after = github.requests.filter((line) => line.startsWith("PATCH ")).length;
  expect(after).toBe(method === "PATCH" && !done ? 2 : 1);
  expect(labelled).toBe(1);
  expect(await summaries(box)).toHaveLength(ANSWERS.length);
});

test("killed -9 while Claude Code works on a step, a run asks that step again, with the same handoff", async () => {
  const box = await quickSandbox(
    story(
      scene("initial.plan", answer(says("next", { plan: "PLAN-31" }))),
      scene("closure.task", { ...answer(says("closing")), delay_ms: 120_000 }),
      scene("closure.task", answer(says("closing"))),
    ),
  );
  const [plan] = STEPS as [StepSketch];
  const inputs = { plan: { from: "initial.plan.plan" } };
  await writeAgent(box, {
    steps: [
      { ...plan, go: { next: "closure.task" } },
      { id: "closure.task", go: { closing: null, repeat: "initial.plan" }, prompt: "{uv-plan}", more: { inputs } },
    ],
  });
  const { child, ended } = box.start(["agent", "run", "small"]);
  await vi.waitUntil(async () => (await promptsOf(box, "closure.task")).length > 0, { timeout: 60_000 });
  child.kill("SIGKILL");
  await ended;

  const resumed = await box.e8(["run", "--resume", "--json"]);

  expect(resumed.code, resumed.stderr).toBe(0);
  expect(await promptsOf(box, "initial.plan")).toHaveLength(1);
  expect((await promptsOf(box, "closure.task")).map((text) => text.includes("PLAN-31"))).toEqual([true, true]);
  expect((await summaries(box)).map(({ flow }) => flow?.step_id)).toEqual(["initial.plan", "closure.task"]);
});

async function survives(seed: number, expected: FlowPosition[]): Promise<void> {
  const random = randomFrom(seed);
  const { box, env, github } = await ready();

  for (let kills = 0; kills < 3; kills++) {
    const args = (await box.tasks()).length === 0 ? RUN : ["run", "--resume"];
    await killSomewhere(box.start(args, { env }), random, { lines: 4 * ANSWERS.length });
  }
  const rest = (await box.tasks()).length === 0 ? RUN : ["run", "--resume"];
  const ended = await box.e8([...rest, "--json"], { env });

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: ANSWERS.length });
  expect(await positions(box)).toEqual(expected);
  expect((await summaries(box)).map(({ iteration }) => iteration)).toEqual(ANSWERS.map((_, index) => index + 1));
  expect(github.requests.filter((line) => line.startsWith("PATCH "))).toEqual([
    "PATCH /repos/some-owner/some.repo/issues/5",
  ]);
  expect(github.issues.get(5)).toMatchObject({ state: "closed", labels: ["done"] });
}

async function ready(): Promise<{ box: Sandbox; env: Record<string, string>; github: GithubServer }> {
  const box = await quickSandbox();
  box.env.ENDLESS8_SANDBOX = "off"; // its condition reads the records
  const github = await startGithub({ 5: { title: "Five" } });
  await writeAgent(box, {
    steps: STEPS.map((step) => ({ ...step, more: { runner } })),
    completion: { type: "externalState", config: { resourceType: "issue", maxIterations: 10 } },
    parameters: { issue: { type: "number", description: "the issue", required: true, cli: "--issue" } },
    integrations: {
      github: { enabled: true, labels: { completion: { add: ["done"] } }, defaultClosureAction: "label-and-close" },
    },
    registry: {
      validators: { thrice: { type: "command", command: "grep -c '\"done\":3' .e8/tasks/*/history.jsonl" } },
      completionSteps: {
        "closure.task": {
          stepId: "closure.task",
          name: "Done thrice?",
          c2: "retry",
          c3: "task",
          completionConditions: [{ validator: "thrice" }],
        },
      },
    },
  });
  await answers(box, ...ANSWERS);
  await box.write(".git/config", '[remote "origin"]\n\turl = https://github.com/some-owner/some.repo.git\n');
  await box.write(".git/HEAD", "ref: refs/heads/main\n");
  await box.write(".git/objects/.keep", "");
  await box.write(".git/refs/.keep", "");
  return { box, env: { GITHUB_TOKEN: github.token, GITHUB_API_URL: github.url }, github };
}

async function positions(box: Sandbox): Promise<FlowPosition[]> {
  return judgmentsThatCount(await box.records()).flatMap(({ flow }) => (flow ? [flow] : []));
}
