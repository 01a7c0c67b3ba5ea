import { describe, expect, test } from "vitest";
import { withAgentStates } from "../../../src/execution/flow/flow-course.ts";
import type { RunEvent } from "../../../src/model/events.ts";
import type { CompletionConfig } from "../../../src/model/flow/agent-file.ts";
import type { Validator } from "../../../src/model/flow/steps-registry.ts";
import type { LoopResult } from "../../../src/model/records.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { type GoalRun, only, recorded } from "../../support/run-goal.ts";

const TWO_STEPS = {
  "initial.task": gated("work", { next: "initial.task", handoff: "closure.task" }),
  "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
};
const closes: NonNullable<FlowOptions["script"]> = {
  executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff"),
};
const command = (name: string, more: Partial<Validator> = {}): Validator => ({
  type: "command",
  command: name,
  successWhen: { kind: "exitCode", code: 0 },
  extractParams: {},
  ...more,
});

describe.each<CompletionConfig>([
  { resourceType: "command", command: "gh pr view --json state" },
  { resourceType: "file", path: "done.txt" },
])("a run that is cancelled while it looks at a $resourceType outside", (config) => {
  const options: FlowOptions = { steps: TWO_STEPS, script: closes, completion: { type: "externalState", config } };

  test("ends as cancelled without a judgment, and goes on with that look when it is resumed", async () => {
    const cancel = new AbortController();
    const run = await runFlow({
      ...options,
      cancel,
      checks: [{ exit_code: null, signal: "SIGTERM" }],
      arrange: ({ commands }) => {
        commands.onRun = () => cancel.abort();
      },
    });
    const resumed = await goOn(options, run.records.slice(0, -1), { checks: [0] });

    expect(run.result).toMatchObject({ status: "cancelled", stop_reason: "cancelled", iterations_used: 2 });
    expect(recorded(run.records, "judgment")).toHaveLength(1); // of the first step
    expect(resumed.agent.assignments).toEqual([]);
    expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
  });
});

describe("a budget that ends the run by itself", () => {
  const options: FlowOptions = {
    steps: TWO_STEPS,
    completion: { type: "iterationBudget", config: { maxIterations: 2 } },
    validators: { "tests-pass": command("npm test") },
    completionSteps: { "closure.task": { completionConditions: [{ validator: "tests-pass" }] } },
    settings: { max_iterations: 10 },
    script: { executor: () => says("next") },
  };

  test("counts each refusal as an attempt of the closure step whose conditions it looked at, and gives up after three", async () => {
    const { result, records } = await runFlow({ ...options, checks: [1] });

    const attempts = recorded(records, "judgment").map(({ flow }) => flow?.attempts["closure.task"] ?? 0);
    expect(attempts).toEqual([0, 1, 2, 3]);
    expect(result.status).toBe("conditions_failed");
    expect(result.error_details).toMatchObject({ code: "FAILED_COMPLETION_CONDITIONS", step: "closure.task" });
    expect(result.iterations_used).toBe(4);
  });

  test("sends the worker on with the reason, and completes as soon as the conditions hold", async () => {
    const { result, agent } = await runFlow({ ...options, checks: [{ exit_code: 1, output_tail: "2 failed" }, 0] });

    expect(agent.prompts("executor")[2]).toContain("2 failed");
    expect(result).toMatchObject({ status: "completed", iterations_used: 3 });
  });
});

describe("several failed conditions", () => {
  const options: FlowOptions = {
    steps: TWO_STEPS,
    script: closes,
    validators: {
      "git-clean": command("git status", {
        failurePattern: "git-dirty",
        extractParams: { changedFiles: "parseChangedFiles" },
      }),
      "tests-pass": command("npm test", { failurePattern: "tests-failed" }),
    },
    completionSteps: {
      "closure.task": { completionConditions: [{ validator: "git-clean" }, { validator: "tests-pass" }] },
    },
    retryPrompts: {
      "closure.task/git-dirty": "Commit first: {{#each changedFiles}}[{{this}}]{{/each}} ({{validators}})",
      "closure.task/tests-failed": "The tests fail.",
    },
    settings: { max_iterations: 3 },
    checks: ({ command: given }) =>
      given === "git status"
        ? { exit_code: 1, stdout: " M a.ts\n", output_tail: " M a.ts" }
        : { exit_code: 2, stdout: "", output_tail: "3 tests failed" },
  };

  test("make one retry prompt: the first one's own text, then all that failed with its evidence", async () => {
    const { agent } = await runFlow(options);
    const [prompt = ""] = agent.prompts("executor").slice(2);

    expect(prompt).toMatch(/^Commit first: \[a\.ts\] \(git-clean, tests-pass\)\n\nAll that failed:\n\n- git-clean: /);
    expect(prompt).toMatch(/- tests-pass: [\s\S]*3 tests failed/);
    expect(prompt).not.toContain("The tests fail.");
  });

  test("are listed where no retry prompt is written for them", async () => {
    const { agent } = await runFlow({ ...options, retryPrompts: {} });

    expect(agent.prompts("executor")[2]).toMatch(
      /^Completion was refused\. What failed:\n\n- git-clean: [\s\S]*\n- tests-pass: /,
    );
  });
});

describe("a handler of the user's own", () => {
  test.each([
    ["h.mjs", "h.mjs"],
    ["/elsewhere/h.mjs", "/elsewhere/h.mjs"],
  ])(
    "named %s is loaded from there: an absolute path as it is, any other from the agent's directory",
    async (path, at) => {
      const { result } = await runFlow({
        steps: { "initial.x": {} },
        completion: { type: "custom", config: { handlerPath: path } },
        modules: { [at]: () => ({ isComplete: () => true }) },
        script: { executor: [{ text: "x" }] },
      });

      expect(result).toMatchObject({ status: "completed", iterations_used: 1 });
    },
  );
});

describe("an agent's states", () => {
  test("begin to run at the first phase, also where a resumed run begins with a judgment", async () => {
    const options: FlowOptions = { steps: TWO_STEPS, script: closes };
    const whole = await runFlow(options);
    const resumed = await goOn(options, whole.records.slice(0, 3)); // the closing step is recorded, not judged

    expect(only(resumed.events, "iteration-start")).toEqual([]);
    expect(await statesOf(resumed)).toEqual(["created", "started", "running", "stopped"]);
    expect(await statesOf(whole)).toEqual(["created", "started", "running", "stopped"]);
  });
});

function goOn(options: FlowOptions, records: GoalRun["records"], more: Partial<FlowOptions> = {}) {
  return runFlow({ ...options, ...more, after: { records } });
}

async function statesOf({ events, result }: GoalRun): Promise<string[]> {
  const states: string[] = [];
  for await (const event of withAgentStates(replayed(events, result)))
    if (event.type === "agent-state") states.push(event.state);
  return states;
}

async function* replayed(events: readonly RunEvent[], result: LoopResult): AsyncGenerator<RunEvent, LoopResult> {
  yield* events;
  return result;
}
