import { describe, expect, test } from "vitest";
import type { CommandRequest } from "../../../src/connection/ports/commands.ts";
import type { ProofScene } from "../../support/fakes.ts";
import { type GoalOptions, only, recorded, runGoal } from "../../support/run-goal.ts";
import { judged, worked } from "../../support/scripted-agent.ts";

/** A task with one check, which fails before the work and passes in the workspace after it. */
function proved(proof: ProofScene, more: Partial<GoalOptions> = {}) {
  return runGoal({
    criteria: [{ command: "npm test" }],
    settings: { proof: "auto", max_iterations: 2, ...more.settings },
    checks: greenAfter(1),
    proof,
    ...more,
  });
}

const inRoom = ({ place }: CommandRequest) => place !== undefined;

test("a claim is proved in a clean checkout, and the result says how", async () => {
  const { result, commands, records } = await proved({});

  expect(commands.requests.map(inRoom)).toEqual([false, false, true]);
  expect(result).toMatchObject({ status: "completed", iterations_used: 1 });
  expect(result.proof).toMatchObject({
    method: "clean-room",
    checks: [{ id: 1, before: false, after: true }],
    protected_changes: [],
  });
  expect(recorded(records, "proof")).toMatchObject([{ iteration: 1, holds: true }]);
});

test("a check that fails in the clean checkout starts another iteration, which reads why", async () => {
  const { result, agent } = await proved({}, { checks: failingInRoom() });

  expect(result).toMatchObject({ status: "max_iterations", iterations_used: 2, proof: { holds: false } });
  expect(agent.prompts("executor")[1]).toContain("clean checkout");
});

function failingInRoom(): (request: CommandRequest) => number {
  const workspace = greenAfter(1);
  return ({ place }) => (place ? 1 : workspace());
}

test("a changed test refutes the claim, and is named", async () => {
  const { result, records } = await proved({
    changes: [{ path: "test/a.test.js", status: "modified", added: 1, removed: 1 }],
    paths: ["test/a.test.js"],
  });

  expect(result.status).toBe("max_iterations");
  expect(recorded(records, "proof")[0]).toMatchObject({
    holds: false,
    protected_changes: [{ path: "test/a.test.js", status: "modified", why: "test" }],
  });
});

test("a changed test that may change does not, and the result names it", async () => {
  const { result } = await proved(
    {
      changes: [{ path: "test/a.test.js", status: "modified", added: 1, removed: 1 }],
      paths: ["test/a.test.js"],
    },
    { settings: { proof: "auto", may_change: ["test/**"] } },
  );

  expect(result).toMatchObject({
    status: "completed",
    iterations_used: 1,
    proof: { protection: "fail", protected_changes: [{ path: "test/a.test.js", is_allowed: true }] },
  });
});

test("without a clean checkout the proof is made in place, and says so", async () => {
  const { result } = await proved({ room: false });

  expect(result).toMatchObject({ status: "completed", proof: { method: "in-place" } });
  expect(result.proof?.weaker.map(({ code }) => code)).toEqual(["room_missing"]);
});

test("a setup that fails refutes work that has changed what it rests on, and makes the proof of other work weaker", async () => {
  const prove = (path: string) => {
    const check = greenAfter(1);
    const checks = ({ command }: CommandRequest) => (command === "npm ci" ? 1 : check());
    const changes = [{ path, status: "modified" as const, added: 1, removed: 1 }];
    const settings = { proof: "auto" as const, max_iterations: 1, setup: ["npm ci"] };
    return proved({ needs_setup: true, changes }, { checks, settings });
  };
  const broken = await prove("package-lock.json");
  expect(recorded(broken.records, "proof")[0]?.reasons).toMatchObject([
    { code: "setup_broken", params: { files: "package-lock.json", problem: { code: "setup_failed" } } },
  ]);
  expect((await prove("src/sum.js")).result).toMatchObject({ status: "completed", proof: { method: "in-place" } });
});

test("what the clean checkout does not have and no check misses is not held against the work", async () => {
  const ignored = [{ path: "node_modules/.bin/node", status: "added" as const }];
  const { result } = await proved({ ignored });
  expect(result).toMatchObject({ status: "completed", proof: { method: "clean-room", protected_changes: [] } });

  const missed = await proved({ ignored }, { checks: missedInRoom() });
  expect(recorded(missed.records, "proof")[0]?.protected_changes).toMatchObject([{ why: "dependency" }]);
  expect(missed.result.status).toBe("max_iterations");
});

/** In the clean checkout, the check passes only with what was made since. */
function missedInRoom(): (request: CommandRequest) => number {
  const workspace = greenAfter(1);
  let runs = 0;
  return ({ place }) => (place ? ++runs % 2 : workspace());
}

test("a check that exits with 0 and says that tests have failed is not met, unless it was so before the work", async () => {
  const output_tail = "Ran 3 tests in 0.001s\n\nFAILED (failures=1)\n";
  const prove = (before: number) => {
    let runs = 0;
    return proved({}, { checks: () => ({ exit_code: ++runs > 1 ? 0 : before, output_tail }), settings: WORKS });
  };
  expect((await prove(1)).result.status).toBe("max_iterations");
  expect((await prove(0)).result.status).toBe("completed");
});

const WORKS = { proof: "auto" as const, max_iterations: 2, if_green: "work" as const };

test.each(["auto", "in-place"] as const)(
  "work that cannot be kept, although its start could, is refuted with git's words (--proof %s)",
  async (proof) => {
    const { result, agent, records } = await proved({ unkept: ["1"] }, { settings: { proof, max_iterations: 2 } });

    expect(recorded(records, "proof").map(({ holds }) => holds)).toEqual([false, true]);
    expect(recorded(records, "proof")[0]).toMatchObject({
      commit: null,
      reasons: [{ code: "work_not_kept", params: { problem: { code: "snapshot_failed" } } }],
      review: { missing: { code: "review_without_model" } },
    });
    expect(agent.prompts("executor")[1]).toContain("bad config");
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  },
);

test("a project whose start could not be kept either is proved in place", async () => {
  const { result } = await proved({ unkept: ["start", "1"] });

  expect(result).toMatchObject({ status: "completed", iterations_used: 1, proof: { method: "in-place", start: null } });
});

test.each([
  ["sentences only", ["It works"]],
  ["a check", [{ command: "npm test" }]],
])("a worker that leads the judges to another model refutes its claim (%s)", async (_, criteria) => {
  let change = () => {};
  const { result, agent } = await runGoal({
    criteria,
    checks: greenAfter(1),
    settings: { proof: "auto", max_iterations: 2 },
    script: { executor: [{ ...worked("done"), during: () => change() }] },
    arrange: ({ commands }) => {
      change = () => {
        commands.settings = "another model";
      };
    },
  });

  expect(result.status).toBe("max_iterations");
  expect(agent.prompts("executor")[1]).toContain("M settings.json");
});

test("the checks of a proof run in reverse order", async () => {
  const { commands } = await proved({}, { criteria: [{ command: "a" }, { command: "b" }], checks: greenAfter(2) });

  expect(commands.requests.map(({ command }) => command)).toEqual(["a", "b", "a", "b", "b", "a"]);
});

function greenAfter(failures: number): () => number {
  let runs = 0;
  return () => (++runs > failures ? 0 : 1);
}

describe("when every check passes before the work", () => {
  const green = { checks: () => 0 };

  test("without a model the run ends at once: there is nothing to show", async () => {
    const { result, agent } = await proved({}, green);

    expect(result).toMatchObject({ status: "completed", stop_reason: "already_true", iterations_used: 0 });
    expect(agent.assignments).toEqual([]);
  });

  test("with a model the task's own text becomes a criterion for the judge, and the work begins", async () => {
    const script = { judge: [judged([true, true])] };
    const { result, agent } = await proved({}, { ...green, task: "Make it faster", hasModel: true, script });

    expect(agent.prompts("judge")[0]).toContain("Make it faster");
    expect(result).toMatchObject({ status: "completed", iterations_used: 1 });
    expect(result.final_judgment?.evaluations.map(({ criterion }) => criterion)).toContain("Make it faster");
  });

  test("--if-green fail makes it a failure, and --if-green work works", async () => {
    const failed = await proved({}, { ...green, settings: { proof: "auto", if_green: "fail" } });
    expect(failed.result).toMatchObject({ status: "conditions_failed", stop_reason: "already_green" });

    const worked = await proved({}, { ...green, settings: { proof: "auto", if_green: "work" } });
    expect(worked.result).toMatchObject({ status: "completed", iterations_used: 1 });
  });
});

test("a refuted claim that comes again without a changed file stalls", async () => {
  const { result } = await proved(
    {},
    {
      checks: ({ place }) => (place ? 1 : 0),
      settings: { proof: "auto", if_green: "work", max_iterations: 9, stall_limit: 2 },
    },
  );

  expect(result).toMatchObject({ status: "stalled", iterations_used: 2 });
});

test("without a proof nothing runs before the work or after the claim", async () => {
  const { commands, events } = await proved({}, { checks: () => 0, settings: { proof: "none" } });

  expect(commands.requests).toHaveLength(1);
  expect(only(events, "proof")).toEqual([]);
});
