import { describe, expect, test } from "vitest";
import { answers, byProgram, type StepSketch, says, writeAgent } from "../../support/agents.ts";
import { quickSandbox } from "../../support/in-process.ts";
import { resultOf } from "../../support/sandbox.ts";

const RUN = ["agent", "run", "small"];
const STEPS: StepSketch[] = [
  { id: "initial.task", go: { next: "initial.task", handoff: "closure.task" }, more: byProgram },
  { id: "closure.task", go: { closing: null, repeat: "initial.task" }, more: byProgram },
];

describe("a budget that is used up in a work step", () => {
  const spent = async () => {
    const box = await quickSandbox();
    await writeAgent(box, {
      steps: STEPS,
      completion: { type: "iterationBudget", config: { maxIterations: 2 } },
      parameters: { issue: { type: "number", description: "the issue", required: true, cli: "--issue" } },
      integrations: { github: { enabled: true, defaultClosureAction: "label-and-close" } },
    });
    await box.write(".e8/issues/1.md", "---\ntitle: Something\n---\n");
    await answers(box, says("next"), says("next"));
    return box;
  };

  test("completes with exit 0, says so in the report, and leaves the issue open", async () => {
    const box = await spent();

    const ended = await box.e8([...RUN, "--issue", "1"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toMatch(
      /^reason: .*2 of 2 iterations done[\s\S]*^completed: the agent's own budget is used up$/m,
    );
    expect(ended.stdout).not.toContain("criterion");
    expect(await box.read(".e8/issues/1.md")).not.toMatch(/closed/i);
  });

  test("says the same in Japanese and as JSON", async () => {
    const box = await spent();

    const japanese = await box.e8(["--lang", "ja", ...RUN, "--issue", "1"]);
    const json = await box.e8([...RUN, "--issue", "1", "--json"]);

    expect(japanese.stdout).toMatch(/^完了：エージェント自身の予算を使い切りました\n/m);
    expect(resultOf(json)).toMatchObject({ status: "completed", stop_reason: "flow_budget" });
    expect(resultOf(json).final_judgment?.overall_reason).toContain("the iteration budget is used up");
  });
});

describe("conditions that failed as often as they may", () => {
  test("exit 1 with what failed, and do not blame the definition", async () => {
    const box = await quickSandbox();
    const stepId = "closure.task";
    const conditions = {
      completionConditions: [{ validator: "tests" }],
      onFailure: { action: "retry", maxAttempts: 1 },
    };
    await writeAgent(box, {
      steps: STEPS,
      registry: {
        validators: { tests: { type: "command", command: "echo 2 tests failed; exit 1" } },
        completionSteps: { [stepId]: { stepId, name: "Tests", c2: "retry", c3: "task", ...conditions } },
      },
    });
    await answers(box, says("handoff"), says("closing"));

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stdout).toMatch(/^not completed: the conditions of completion failed\n/m);
    expect(ended.stdout).toContain("2 tests failed");
    expect(ended.stdout).toMatch(/next: .*e8 run --resume/);
    expect(ended.stdout).not.toContain("definition");
  });
});

describe("the warnings of a definition", () => {
  const warned = async () => {
    const box = await quickSandbox();
    const [initial, closure] = STEPS as [StepSketch, StepSketch];
    const published = { priority: 1, type: "prompt" };
    await writeAgent(box, {
      steps: [
        { ...initial, more: { ...byProgram, ...published } },
        { ...closure, more: { ...byProgram, ...published } },
      ],
    });
    await answers(box, says("handoff"), says("closing"));
    return box;
  };

  test("are shown once before the first step of a run, grouped as by e8 agent validate, on stderr", async () => {
    const box = await warned();

    const validated = await box.e8(["agent", "validate", "small"]);
    const ended = await box.e8([...RUN, "--json"]);

    expect(validated.stdout).toMatch(/^small: valid, 2 warnings\n/);
    expect(ended.stderr.startsWith(validated.stdout)).toBe(true);
    expect(ended.stderr.split("AGENT_KEY_WITHOUT_EFFECT")).toHaveLength(2);
    expect(resultOf(ended).status).toBe("completed");
  });

  test("are hidden by --quiet, like all progress; the result is not", async () => {
    const box = await warned();

    const ended = await box.e8([...RUN, "--quiet"]);

    expect(ended.stderr).toBe("");
    expect(ended.stdout).toMatch(/^completed: /m);
  });

  test("do not precede the help", async () => {
    const box = await warned();

    expect((await box.e8([...RUN, "--help"])).stderr).toBe("");
  });
});
