import { expect, test } from "vitest";
import { codes, definitionOf, edit, fixture, miniWith, problemsOf, set } from "./support.ts";

/** Habits of definitions that other people have published: they load, and what does nothing here is said. */

test("an agent of one subprocess step needs neither gate nor step prompt", () => {
  const step = {
    stepId: "merge",
    name: "Merge",
    stepKind: "closure",
    c2: "closure",
    c3: "merge",
    uvVariables: [],
    usesStdin: false,
  };
  const runner = { command: "node", args: ["merge.js", "--pr", `\${context.issue}`] };
  const files = edit(fixture("mini"), "agent.json", (agent) => {
    set(agent, ["runner", "completion"], undefined);
    set(agent, ["runner", "verdict"], { type: "count:iteration", config: { maxIterations: 1 } });
  }).set(
    "steps_registry.json",
    JSON.stringify({
      agentId: "mini",
      version: "1.0.0",
      c1: "steps",
      entryStepMapping: { "count:iteration": "merge" },
      steps: { merge: { ...step, runner } },
    }),
  );

  expect(definitionOf(files)).toMatchObject({
    entryStep: "merge",
    isGated: false,
    prompts: {},
    registry: { steps: { merge: { runner: { timeout: 30_000 } } } },
  });
});

test("a polled state may name its parameter, and say an old type besides", () => {
  const config = { type: "issueClose", issueParam: "issue", maxIterations: 300 };
  const files = miniWith("agent", ["runner", "completion"], { type: "externalState", config });

  expect(codes(problemsOf(files))).toEqual(["AGENT_COMPLETION_UNUSED"]);
  expect(definitionOf(files).agent.runner.completion.config).toEqual({
    maxIterations: 300,
    resourceType: "issue",
    resourceParam: "issue",
  });
});

test("steps without gates go on to the continuation of the same name", () => {
  const files = edit(fixture("mini"), "steps_registry.json", (registry) => {
    const plain = { name: "x", c3: "task", fallbackKey: "x", uvVariables: ["issue"], type: "prompt" };
    set(registry, ["steps"], {
      "initial.task": { ...plain, stepId: "initial.task", c2: "initial" },
      "continuation.task": { ...plain, stepId: "continuation.task", c2: "continuation" },
    });
    for (const key of ["completionSteps", "validators", "completionPatterns"]) set(registry, [key], undefined);
  }).set("prompts/steps/continuation/task/f_default.md", "Go on with {uv-issue}.");
  edit(files, "agent.json", (agent) =>
    set(agent, ["runner", "completion"], { type: "iterationBudget", config: { maxIterations: 3 } }),
  );

  expect(problemsOf(files)).toEqual([]);
});

test("labels of any name are kept out of the way of those that have a meaning", () => {
  const github = { enabled: true, labels: { gap: "gap", stale: "stale", completion: { add: ["done"] } } };
  const files = miniWith("agent", ["runner", "integrations"], { github });

  expect(definitionOf(files).agent.runner.integrations.github.labels).toEqual({ add: ["done"], remove: [] });
});

test("files indented by tabs, with a byte order mark and CRLF are read", () => {
  const files = fixture("mini");
  const text = JSON.stringify(JSON.parse(files.get("agent.json") ?? ""), null, "\t").replaceAll("\n", "\r\n");

  expect(problemsOf(files.set("agent.json", `\uFEFF${text}`))).toEqual([]);
});
