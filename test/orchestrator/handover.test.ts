import { describe, expect, test } from "vitest";
import { commentFor, handoversFor } from "../../src/orchestrator/handover.ts";
import { workflowOf } from "./support.ts";

describe("a comment", () => {
  const workflow = workflowOf({
    handoff: {
      commentTemplates: {
        reviewerRejected: "Not yet: {reason}; {absent}",
        iteratorToSuccess: "{summary}",
        considererHandoffDetail: "{points}",
      },
    },
  });

  test.each([
    ["reviewer", "rejected", { reason: "{summary}", summary: "x" }, "Not yet: {summary}; {absent}"],
    ["iterator", "success", { summary: "Done." }, "Done."],
    ["considerer", "handoff-detail", { points: ["a", 1] }, '["a",1]'],
    ["reviewer", "approved", {}, undefined],
    ["iterator", "toString", {}, undefined],
  ])("of %s after %s is %4$s", (agent, outcome, result, comment) => {
    expect(commentFor(workflow, { agent, outcome, result })).toBe(comment);
  });

  test("inherited names are not values", () => {
    const turn = { agent: "iterator", outcome: "success", result: {} };
    const tricky = workflowOf({ handoff: { commentTemplates: { iteratorSuccess: "{constructor} {__proto__}" } } });

    expect(commentFor(tricky, turn)).toBe("{constructor} {__proto__}");
  });
});

/** The place of a value of the payload in a text. */
function hole(key: string): string {
  return `$\{payload.${key}}`;
}

describe("files", () => {
  const handoff = (path: string, payloadFrom: object) =>
    workflowOf({
      handoffs: [
        {
          id: "to-review",
          when: { fromAgent: "iterator", outcome: "success" },
          emit: { type: "review", schemaRef: "review@1", path },
          payloadFrom,
          persistPayloadTo: "none",
        },
      ],
    });
  const turn = { agent: "iterator", outcome: "success", result: { pr: 7, files: ["a"], name: "../../x" } };
  const context = { workflow: { context: { now: "2026-01-23" }, agents: { iterator: { version: "1.2" } } } };

  test("hold what the workflow asks for", () => {
    const workflow = handoff(`out/${hole("pr")}.json`, {
      kind: "'review'",
      pr: "$.agent.result.pr",
      files: "$.agent.result.files",
      now: "$.workflow.context.now",
      version: "$.workflow.agents[sourceAgent].version",
      title: `PR ${hole("pr")} of ${hole("kind")}`,
    });

    expect(handoversFor(workflow, turn, context)).toEqual([
      {
        id: "to-review",
        path: "out/7.json",
        payload: { kind: "review", pr: 7, files: ["a"], now: "2026-01-23", version: "1.2", title: "PR 7 of review" },
      },
    ]);
  });

  test("are written after that outcome of that agent only", () => {
    const workflow = handoff("a.json", {});

    expect(handoversFor(workflow, { ...turn, outcome: "failed" }, context)).toEqual([]);
    expect(handoversFor(workflow, { ...turn, agent: "reviewer" }, context)).toEqual([]);
  });

  test.each(["$.agent.result.absent", "$.agent.result.constructor", "agent.result.pr", hole("absent"), "$."])(
    "a value that is not there is named: %s",
    (expression) => {
      expect(handoversFor(handoff("a.json", { key: expression }), turn, context)).toEqual([
        { id: "to-review", problem: { missing: expression } },
      ]);
    },
  );

  test.each([`${hole("name")}.json`, "/etc/x", "C:\\x", ".e8/tasks/x", "a/.git/config", ".."])(
    "a path out of the project, or into records, is refused: %s",
    (path) => {
      expect(handoversFor(handoff(path, { name: "$.agent.result.name" }), turn, context)).toMatchObject([
        { problem: { outside: expect.any(String) } },
      ]);
    },
  );
});
