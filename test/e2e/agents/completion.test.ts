import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, scene, story, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import {
  type AgentSketch,
  answers,
  byProgram,
  commitAll,
  judgments,
  losing,
  promptsOf,
  type StepSketch,
  says,
  summaries,
  writeAgent,
} from "../../support/agents.ts";
import { quickSandbox, quickScripted } from "../../support/in-process.ts";
import { resultOf } from "../../support/sandbox.ts";

const RUN = ["agent", "run", "small", "--json"];
const INITIAL: StepSketch = { id: "initial.task", go: { next: "closure.task", repeat: "initial.task" } };
const CLOSURE: StepSketch = { id: "closure.task", go: { closing: null, repeat: "initial.task" } };
const BY_PROGRAM = [INITIAL, CLOSURE].map((step) => ({ ...step, more: byProgram }));
const ISSUE = { type: "number", description: "the issue", required: true, cli: "--issue" };
const CLOSES = { github: { enabled: true } };
const OPEN_ISSUE = "---\ntitle: Something\n---\n";

/** As the format writes it, which is no template of ours. */
const FILE = ["$", "{file}"].join("");

/** One validator on the closing step. */
function condition(validator: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    validators: { only: validator },
    completionSteps: {
      "closure.task": {
        stepId: "closure.task",
        name: "Check",
        c2: "retry",
        c3: "task",
        completionConditions: [{ validator: "only" }],
        ...more,
      },
    },
  };
}

const GIT_CLEAN: Pick<AgentSketch, "registry" | "files"> = {
  registry: {
    completionPatterns: {
      dirty: { description: "uncommitted changes", edition: "failed", adaptation: "dirty", params: ["changed"] },
    },
    ...condition({
      type: "command",
      command: "git status --porcelain",
      successWhen: "empty",
      failurePattern: "dirty",
      extractParams: { changed: "parseChangedFiles" },
    }),
  },
  files: {
    "prompts/steps/retry/task/f_failed_dirty.md":
      "Issue {uv-issue}:{{#if changed}}{{#each changed}} <{{this}}>{{/each}}{{else}} none{{/if}}\n",
  },
};

describe("conditions", () => {
  test("a dirty tree goes back to the work step with the list of its files, and the issue stays open", async () => {
    const box = await quickScripted(
      story(
        scene("initial.task", use("Write", { file_path: "a b.txt", content: "x" }), answer(says("next"))),
        scene("closure.task", answer(says("closing"))),
        scene({ who: "initial.task", when: "<a b.txt>" }, answer(says("repeat"))),
      ),
    );
    await writeAgent(box, {
      steps: [INITIAL, CLOSURE],
      parameters: { issue: ISSUE },
      integrations: CLOSES,
      ...GIT_CLEAN,
    });
    await commitAll(box);
    await box.write(".e8/issues/4.md", OPEN_ISSUE);
    await box.write("$(touch pwned)", "");
    await box.write("{uv-issue} and {{changed}}", "");

    const ended = await box.e8([...RUN, "--issue", "4", "-n", "3"]);

    expect(ended.code, ended.stdout).toBe(1);
    const [, retried] = await promptsOf(box, "initial.task");
    expect(retried).toContain("Issue 4: <$(touch pwned)>");
    expect(retried).toContain("<{uv-issue} and {{changed}}>");
    expect(await box.read(".e8/issues/4.md")).toBe(OPEN_ISSUE);
    await expect(access(join(box.project, "pwned"))).rejects.toThrow("ENOENT");
  });

  test("that hold let the agent end, with the issue closed", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: BY_PROGRAM, parameters: { issue: ISSUE }, integrations: CLOSES, ...GIT_CLEAN });
    await answers(box, says("next"), says("closing"));
    await commitAll(box);
    await box.write(".e8/issues/4.md", OPEN_ISSUE);

    const ended = await box.e8([...RUN, "--issue", "4"]);

    expect(ended.code, ended.stderr).toBe(0);
    expect(await box.read(".e8/issues/4.md")).toContain("state: CLOSED");
  });

  test("that fail three times: retry, retry, abort", async () => {
    const box = await quickSandbox();
    const registry = condition(
      { type: "command", command: "echo no; false" },
      { onFailure: { action: "retry", maxAttempts: 3 } },
    );
    await writeAgent(box, { steps: BY_PROGRAM, registry, completion: { type: "stepMachine", config: {} } });
    const round = [says("next"), says("closing")];
    await answers(box, ...round, ...round, ...round, ...round);

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({
      status: "conditions_failed",
      iterations_used: 6,
      error_code: "flow_failed",
      error_details: { code: "FAILED_COMPLETION_CONDITIONS", step: "closure.task", iteration: 6 },
    });
    const refused = (await judgments(box)).filter(({ flow }) => flow?.intent === "closing");
    expect(refused.map(({ flow }) => [flow?.attempts["closure.task"], flow?.next_step])).toEqual([
      [1, "initial.task"],
      [2, "initial.task"],
      [3, "initial.task"],
    ]);
  });

  test("that cannot be looked at end the run at once", async () => {
    const box = await quickSandbox();
    const registry = condition({ type: "command", command: "there-is-no-such-program-5c1" });
    await writeAgent(box, { steps: BY_PROGRAM, registry });
    await answers(box, says("next"), says("closing"));

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(2);
    expect(resultOf(ended)).toMatchObject({
      iterations_used: 2,
      error_details: { code: "FAILED_COMPLETION_CONDITIONS" },
    });
  });

  test.each([
    ["never answers", "export default () => new Promise(() => {});", 1, 2],
    ["is no function", "export default 1;", 2, 0],
    ["is no JavaScript", "export default (=", 2, 0],
  ])("of a module that %s end the run with a result", async (_, module, code, iterations_used) => {
    const box = await quickSandbox();
    const validator = { type: "custom", handlerPath: "check.mjs", timeout: 300 };
    const registry = condition(validator, { onFailure: { action: "abort" } });
    await writeAgent(box, { steps: BY_PROGRAM, registry, files: { "check.mjs": `${module}\n` } });
    await answers(box, says("next"), says("closing"));

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stderr).toBe(code);
    expect(resultOf(ended)).toMatchObject({
      iterations_used,
      error_code: code === 1 ? "flow_failed" : "module_broken",
    });
  });

  test("with onFailure abort end the run at the first failure", async () => {
    const box = await quickSandbox();
    const registry = condition({ type: "file", path: "not there.txt" }, { onFailure: { action: "abort" } });
    await writeAgent(box, { steps: BY_PROGRAM, registry });
    await answers(box, says("next"), says("closing"));

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(1);
    expect(resultOf(ended).error_message).toContain("not there.txt");
  });

  test("with onFailure skip do not hold the agent up, and do not complete it either", async () => {
    const box = await quickSandbox();
    const registry = condition({ type: "command", command: "false" }, { onFailure: { action: "skip" } });
    const completion = { type: "externalState", config: { resourceType: "file", path: "result.txt" } };
    await writeAgent(box, { steps: BY_PROGRAM, registry, completion });
    await answers(box, says("next"), says("closing"), says("next"), says("closing"));

    const without = await box.e8([...RUN, "-n", "2"]);
    await box.write("result.txt", "");
    const within = await box.e8([...RUN, "-n", "2"]);

    expect(without.code).toBe(1);
    expect(within.code).toBe(0);
    expect(resultOf(within).final_judgment?.evaluations).toMatchObject([{ criterion: "only", is_met: false }]);
  });

  test("a parameter in a command stays one word, whatever it holds", async () => {
    const box = await quickSandbox();
    const file = "$(touch pwned) `touch pwned`; touch pwned '\"";
    const parameters = { file: { type: "string", description: "a file", required: true, cli: "--file" } };
    const registry = condition({ type: "command", command: `test -f ${FILE} && printf %s ${FILE}` });
    await writeAgent(box, { steps: BY_PROGRAM, registry, parameters });
    await answers(box, says("next"), says("closing"));
    await box.write(file, "");

    const ended = await box.e8([...RUN, "--file", file]);

    expect(ended.code, ended.stdout).toBe(0);
    await expect(access(join(box.project, "pwned"))).rejects.toThrow("ENOENT");
  });
});

describe("completion", () => {
  test("is not reached when the iterations are used up: exit 1", async () => {
    const box = await quickSandbox();
    await writeAgent(box, { steps: BY_PROGRAM, completion: { type: "stepMachine", config: { maxIterations: 3 } } });
    await answers(box, says("repeat"), says("repeat"), says("repeat"));

    const ended = await box.e8(RUN);

    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({ status: "max_iterations", iterations_used: 3 });
  });

  test("by a keyword needs the closing signal once there are gates", async () => {
    const box = await quickSandbox();
    const completion = { type: "keywordSignal", config: { completionKeyword: "DONE", maxIterations: 4 } };
    await writeAgent(box, { steps: BY_PROGRAM, completion });
    const promise = { ...says("repeat"), summary: "I will print DONE when finished" };
    await answers(box, promise, promise, says("next"), says("closing"));

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stdout).toBe(0);
    expect((await judgments(box)).map(({ is_complete }) => is_complete)).toEqual([false, false, false, true]);
  });

  test.for([
    { operator: "and", closings: 2 },
    { operator: "or", closings: 1 },
    { operator: "first", closings: 1 },
  ])("by a composite with $operator of a signal and two checks takes $closings closing signal(s)", async (one) => {
    const box = await quickSandbox();
    const conditions = [
      {
        type: "composite",
        config: { operator: "and", conditions: [{ type: "checkBudget", config: { maxChecks: 2 } }] },
      },
      { type: "structuredSignal", config: { signalType: "ready", requiredFields: { by: "me" } } },
    ];
    const completion = { type: "composite", config: { operator: one.operator, conditions } };
    const properties = { signal: { type: "string" }, by: { type: "string" } };
    const steps = BY_PROGRAM.map((step) => ({ ...step, properties }));
    await writeAgent(box, { steps, completion });
    const round = [says("next"), says("closing", { signal: "ready", by: "me" })];
    await answers(box, ...round, ...round);

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stdout).toBe(0);
    expect(resultOf(ended).iterations_used).toBe(2 * one.closings);
  });

  test("by a budget of iterations is reached after exactly so many, though no step has closed", async () => {
    const box = await quickSandbox();
    const completion = { type: "iterationBudget", config: { maxIterations: 3 } };
    await writeAgent(box, { steps: BY_PROGRAM, completion });
    await answers(box, says("repeat"), says("repeat"), says("repeat"), says("repeat"));

    const ended = await box.e8(RUN);

    expect(ended.code, ended.stdout).toBe(0);
    expect(await summaries(box)).toHaveLength(3);
  });

  test("is a failure when the boundary hook fails, and says so", async () => {
    const box = await quickSandbox();
    box.env.ENDLESS8_SANDBOX = "off"; // the step removes the issue, which it would not find in a sandbox
    const steps = [INITIAL, CLOSURE].map((step) => ({ ...step, more: losing("99") }));
    await writeAgent(box, { steps, parameters: { issue: ISSUE }, integrations: CLOSES });
    await answers(box, says("next"), says("closing"));
    await box.write(".e8/issues/99.md", OPEN_ISSUE);

    const ended = await box.e8([...RUN, "--issue", "99"]);
    await box.write(".e8/issues/99.md", OPEN_ISSUE);
    const resumed = await box.e8(["run", "--resume", "--json"]);

    expect(ended.code).toBe(2);
    expect(resultOf(ended)).toMatchObject({ status: "error", error_details: { code: "FAILED_BOUNDARY_HOOK" } });
    expect(resultOf(ended).error_message).toContain("99.md does not exist");
    expect(resultOf(resumed)).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(await box.read(".e8/issues/99.md")).toContain("state: CLOSED");
  });
});
