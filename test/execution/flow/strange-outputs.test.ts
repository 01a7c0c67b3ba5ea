import { describe, expect, test } from "vitest";
import { teller } from "../../../src/texts/tell.ts";
import { type FlowOptions, gated, runFlow, says } from "../../support/run-flow.ts";
import { recorded } from "../../support/run-goal.ts";
import { saying } from "../../support/saying.ts";
import { failing } from "../../support/scripted-agent.ts";

const runner = { command: "./answer", args: [], timeout: 30_000 };
const object = { schema: { type: "object" } };

describe("a program's output that is not JSON", () => {
  test.each(["It went well.", '{"cut": "in the mid', ""])("is a failure that quotes it: %j", async (stdout) => {
    const { records } = await runFlow({
      steps: { "initial.x": { runner, schema: object } },
      completion: { type: "iterationBudget", config: { maxIterations: 1 } },
      settings: { max_iterations: 1 },
      checks: [{ exit_code: 0, stdout, output_tail: stdout }],
    });

    const [summary] = recorded(records, "summary");
    expect(summary).toMatchObject({ result: "error", metadata: { error_type: "malformed" } });
    expect(summary).toMatchObject({ reason: "", failure: saying(`its output is not JSON: ${stdout}`) });
  });
});

test("a step that fails does not replace the output that an earlier one handed in", async () => {
  const { files, records } = await runFlow({
    steps: { "initial.x": {} },
    completion: { type: "iterationBudget", config: { maxIterations: 9 } },
    settings: { max_iterations: 2 },
    script: { executor: [{ text: "Three papers." }, { ...failing("crashed"), text: "I will look" }] },
  });

  expect(files.output).toBe("Three papers.");
  expect(await files.readOutput(2)).toBe("I will look");
  expect(recorded(records, "summary")[1]).toMatchObject({ artifacts: [], output_path: expect.stringMatching(/2$/) });
});

test("a pattern that escapes more than it must is held to all the same", async () => {
  const answers = ["2026-11_x", "elsewhere"].map((when) => ({ structured: { when } }));
  const { records } = await runFlow({
    steps: { "initial.x": { schema: { schema: { properties: { when: { pattern: "^\\d{4}\\-\\d{2}\\_x$" } } } } } },
    completion: { type: "iterationBudget", config: { maxIterations: 2 } },
    settings: { max_iterations: 2 },
    script: { executor: [...answers, ...answers.slice(1)] },
  });

  expect(recorded(records, "summary").map(({ result }) => result)).toEqual(["success", "error"]);
});

test("an output has a property called constructor only when it is its own", async () => {
  const properties = { constructor: { type: "string" }, next_action: {} };
  const schema = { schema: { type: "object", additionalProperties: false, properties } };
  const { records } = await runFlow({
    steps: {
      "initial.x": gated("work", { handoff: "closure.x" }, { schema, handoffFields: ["constructor"] }),
      "closure.x": gated("closure", { closing: null }),
    },
    script: { executor: ({ step_id }) => says(step_id === "initial.x" ? "handoff" : "closing") },
  });

  expect(recorded(records, "summary").map(({ result }) => result)).toEqual(["success", "success"]);
  expect(recorded(records, "judgment")[0]?.flow?.handoff).toEqual({ "initial.x": {} });
});

test("a program that fails is recorded with how it ended and what it printed, and the next prompt quotes both", async () => {
  const { records, commands } = await runFlow({
    steps: { "initial.x": { runner } },
    completion: { type: "iterationBudget", config: { maxIterations: 9 } },
    settings: { max_iterations: 2 },
    checks: [{ exit_code: 3, stdout: "", output_tail: "no such host" }],
  });
  const [summary] = recorded(records, "summary");
  const [judgment] = recorded(records, "judgment");

  expect(summary).toMatchObject({
    reason: "",
    failure: { code: "program_failed", params: { program: "./answer", output: "no such host" } },
  });
  expect(judgment).toMatchObject({
    overall_reason: "",
    reasons: [saying("initial.x: again → initial.x")],
    flow: { last_failure: saying("`./answer`: exit code 3\nno such host") },
  });
  expect(commands.requests[1]?.stdin).toContain(
    "The last attempt at this step failed: `./answer`: exit code 3\nno such host",
  );
});

test("the agent's own words for a failure are quoted as they are", async () => {
  const { records, agent } = await runFlow({
    steps: { "initial.x": {} },
    completion: { type: "iterationBudget", config: { maxIterations: 9 } },
    settings: { max_iterations: 2 },
    script: {
      executor: [{ text: "I began.", failure: { code: "turn_limit", message: "too many turns" } }, { text: "done" }],
    },
  });
  const [summary] = recorded(records, "summary");

  expect(summary).toMatchObject({
    reason: "I began.",
    failure: { code: "quoted_words", params: { words: "too many turns" } },
  });
  expect(agent.prompts("executor")[1]).toMatch(/^The last attempt at this step failed: too many turns\n\n/);
});

test("an output that does not fit is told in both languages; the record has the schema's keyword and values", async () => {
  const { records, agent } = await runFlow({
    steps: { "initial.x": { schema: { schema: { required: ["when"], properties: { count: { type: "integer" } } } } } },
    completion: { type: "iterationBudget", config: { maxIterations: 1 } },
    settings: { max_iterations: 1 },
    script: { executor: () => ({ structured: { count: "1" } }) },
  });
  const failure = recorded(records, "summary")[0]?.failure ?? "";

  expect(failure).toMatchObject({
    code: "list",
    params: {
      items: [
        { code: "output_misfit", params: { path: "", keyword: "required", params: { missingProperty: "when" } } },
        { code: "output_misfit", params: { path: "/count", keyword: "type", params: { type: "integer" } } },
      ],
    },
  });
  expect(teller("en")(failure)).toBe("the output must have required property 'when'; /count must be integer");
  expect(teller("ja")(failure)).toBe("出力: when がありません; /count: 型が integer ではありません");
  expect(agent.prompts("executor")[1]).toContain(
    "Your last output could not be used: the output must have required property 'when'; /count must be integer. Give it again.",
  );
});

test("a position that an earlier version recorded names its last failure in plain text", async () => {
  const options: FlowOptions = {
    steps: { "initial.x": {} },
    completion: { type: "iterationBudget", config: { maxIterations: 9 } },
    settings: { max_iterations: 2 },
    script: { executor: [{ text: "", failure: { code: "crashed", message: "x" } }, { text: "done" }] },
  };
  const { records } = await runFlow(options);
  const [summary, judgment] = records;
  if (summary?.type !== "summary" || judgment?.type !== "judgment" || !judgment.flow) throw new Error("not recorded");
  const old = { ...judgment, flow: { ...judgment.flow, last_failure: "it broke" } };
  const { agent } = await runFlow({ ...options, after: { records: [summary, old] } });

  expect(agent.prompts("executor")[0]).toMatch(/^The last attempt at this step failed: it broke\n\n/);
});
