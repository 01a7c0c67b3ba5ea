import { describe, expect, test } from "vitest";
import { only } from "../support/run-goal.ts";
import { judged, summarized } from "../support/scripted-agent.ts";
import { limited, models, TWO, task, turnsIn, workersIn } from "./turns-support.ts";

describe("roles", () => {
  const judgedTask = {
    criteria: ["It works"],
    settings: { max_iterations: 2, models: { ...models, summarizer: "m" } },
  };

  /** Unlike a program, it answers in roles. */
  const codex = { agent: "codex", model: null };
  const withCodex = { ...judgedTask, settings: { ...judgedTask.settings, fallbacks: [codex] } };
  const done = { summarizer: [summarized("done")], judge: [judged([true])] };

  test("that the limited agent takes go to the one that stands in for it", async () => {
    const run = await task({ claude: [limited(2)] }, { ...withCodex, script: done });
    expect(run.result.status).toBe("completed");
    for (const role of ["summarizer", "judge"] as const) expect(run.agent.asked(role)[0]?.worker).toEqual(codex);
  });

  test("meet a far limit first: the next one takes them over, and then the work", async () => {
    const run = await task({}, { ...withCodex, script: { judge: [limited(2), judged([false]), judged([true])] } });
    expect(turnsIn(run)).toEqual([[1, "claude", "codex", "limited"]]);
    expect(workersIn(run)).toEqual(["claude", "codex"]);
    expect(only(run.events, "waiting")).toEqual([]);
  });

  test("go to the first worker that takes them, where the one that works does not", async () => {
    const settings = { ...judgedTask.settings, fallbacks: [...TWO.fallbacks, codex] };
    const run = await task({ claude: [limited(2)] }, { ...judgedTask, settings, script: done });
    expect(workersIn(run)).toEqual(["command:b"]);
    expect(run.agent.asked("judge")[0]?.worker).toEqual(codex);
  });

  test("that a program does not take: it works on without a summary of a model, and nothing false is told of it", async () => {
    const summarizer = { ...models, summarizer: "m" };
    const run = await task({ claude: [limited(2)] }, { settings: { models: summarizer } });
    expect(turnsIn(run)).toEqual([[1, "claude", "command:b", "limited"]]);
    expect(workersIn(run)).toEqual(["command:b", "command:b", "command:b", "command:b"]);
    expect(run.agent.asked("summarizer")).toEqual([]);
    expect(only(run.events, "waiting")).toEqual([]);
    const told = only(run.events, "notice").map(({ notice }) => notice);
    expect(told).toContainEqual({
      code: "summary_mechanical",
      params: { problem: { code: "worker_away", params: { worker: "claude" } } },
    });
  });

  test("meet a far limit that a program does not take over: it takes the work, and the judge is waited for by its name", async () => {
    const settings = { ...judgedTask.settings, max_iterations: 1 };
    const script = { summarizer: [limited(2)], judge: [limited(2), judged([true])] };
    const run = await task({}, { ...judgedTask, settings, script });
    expect(turnsIn(run)).toEqual([[1, "claude", "command:b", "limited"]]);
    expect(only(run.events, "waiting")).toMatchObject([{ reason: { params: { items: ["claude", "resets later"] } } }]);
    expect(run.result.status).toBe("completed");
  });

  test("that nobody can take now are left out where the run can do without: a summary is made without a model", async () => {
    const all = limited(2);
    const run = await task(
      { claude: [all] },
      { settings: { models: judgedTask.settings.models, max_iterations: 1 }, script: { summarizer: [all] } },
    );
    expect(only(run.events, "waiting")).toEqual([]);
    expect(run.events).toContainEqual(
      expect.objectContaining({ notice: expect.objectContaining({ code: "summary_mechanical" }) }),
    );
  });

  test("over an API are nobody else's: their limits are waited out", async () => {
    const settings = {
      ...judgedTask.settings,
      models: { ...models, judge: "openai:x" },
    };
    const run = await task({}, { ...judgedTask, settings, script: { judge: [limited(2), judged([true])] } });
    expect(turnsIn(run)).toEqual([]);
    expect(only(run.events, "waiting")).toHaveLength(1);
  });
});
