import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HistoryRecord } from "../../src/model/records.ts";
import { type GoalOptions, type GoalRun, recorded, resume, runGoal, type World } from "../support/run-goal.ts";
import { accepted, failing, judged, type Scene, worked } from "../support/scripted-agent.ts";

/** How one iteration goes. */
interface Plan {
  works: "success" | "failure" | "error" | "crashed" | "malformed";
  changes: boolean;
  exit_code: number;
  judge: "yes" | "no" | "nonsense" | "contradiction";
}

const iteration: fc.Arbitrary<Plan> = fc.record({
  works: fc.constantFrom("success", "failure", "error", "crashed", "malformed"),
  changes: fc.boolean(),
  exit_code: fc.constantFrom(0, 1, 2),
  judge: fc.constantFrom("yes", "no", "nonsense", "contradiction"),
});

describe("[FR-012, SC-005] a run cut at any record boundary", () => {
  test("goes on to the same records: no iteration is lost, repeated or judged twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(iteration, { minLength: 1, maxLength: 5 }),
        fc.option(fc.integer({ min: 2, max: 3 })),
        async (plan, stall_limit) => {
          const whole = await runGoal(planned(plan, stall_limit));
          for (let cut = 0; cut < whole.records.length; cut++) {
            const resumed = await goOnAfter(whole, cut, planned(plan, stall_limit));
            expect(lasting(resumed.records)).toEqual(lasting(whole.records));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("asks the workers that are left with the very prompts they would have got", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(iteration, { minLength: 2, maxLength: 5 }), async (plan) => {
        const whole = await runGoal(planned(plan, null));
        for (let cut = 0; cut < whole.records.length; cut++) {
          const resumed = await goOnAfter(whole, cut, planned(plan, null));
          const [all, left] = [whole.agent.prompts("executor"), resumed.agent.prompts("executor")];
          expect(left).toEqual(all.slice(all.length - left.length));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("does not take the task in again", async () => {
    const options: GoalOptions = {
      settings: { intake: true },
      script: { intake: [accepted("Make it work", ["It works well"])], judge: [judged([false]), judged([true])] },
    };
    const whole = await runGoal(options);
    const resumed = await goOnAfter(whole, 1, options);

    expect(resumed.agent.asked("intake")).toEqual([]);
    expect(resumed.agent.prompts("judge")[0]).toContain("It works well");
  });
});

describe("a run that ended", () => {
  test("goes on after more iterations are allowed, without another look at those it has", async () => {
    const options: GoalOptions = { criteria: [{ command: "npm test" }], checks: [1], settings: { max_iterations: 2 } };
    const first = await runGoal(options);
    const second = await resume(first, { ...options, settings: { max_iterations: 3 } });

    expect(second.agent.asked("executor").map(({ iteration }) => iteration)).toEqual([3]);
    expect(second.commands.requests).toHaveLength(1);
    expect(second.records.map(({ type }) => type)).toEqual([
      ...["summary", "judgment", "summary", "judgment", "final_result"],
      ...["summary", "judgment", "final_result"],
    ]);
  });

  test("ends again at once when nothing was changed", async () => {
    const options: GoalOptions = { criteria: [{ command: "npm test" }], checks: [1], settings: { max_iterations: 1 } };
    const second = await resume(await runGoal(options), options);

    expect(second.result).toMatchObject({ status: "max_iterations", iterations_used: 1 });
    expect(second.agent.assignments).toEqual([]);
  });

  test("remembers what it has spent: a budget holds for the task, not for the run", async () => {
    const executor = [{ ...worked("x"), usage: { cost_usd: 0.6, tokens: 10 }, seconds: 30 }];
    const options: GoalOptions = {
      criteria: [{ command: "npm test" }],
      checks: [1],
      script: { executor },
      settings: { max_iterations: 1, budget: { cost_usd: 1 } },
    };
    const first = await runGoal(options);
    const second = await resume(first, { ...options, settings: { max_iterations: 9, budget: { cost_usd: 1 } } });

    expect(second.result).toMatchObject({ stop_reason: "budget_cost", iterations_used: 2 });
    expect(second.result.usage).toEqual({ cost_usd: 1.2, tokens: 20, seconds: 60 });
    expect(second.agent.asked("executor")[0]?.max_cost_usd).toBeCloseTo(0.4);
  });

  test("stalled: gets as many attempts again as the limit allows", async () => {
    const options: GoalOptions = { criteria: [{ command: "npm test" }], checks: [1], settings: { stall_limit: 2 } };
    const first = await runGoal(options);
    const second = await resume(first, options);

    expect(first.result).toMatchObject({ status: "stalled", iterations_used: 2 });
    expect(second.result).toMatchObject({ status: "stalled", iterations_used: 4 });
  });
});

/** A run whose every part depends on nothing but the iteration it stands at. */
function planned(plan: readonly Plan[], stall_limit: number | null): GoalOptions {
  const at = (number: number) => plan[(number - 1) % plan.length] as Plan;
  let world: World | undefined;
  return {
    criteria: ["It works", { command: "npm test" }],
    settings: { max_iterations: plan.length + 1, stall_limit, history_context_size: 2 },
    script: {
      executor: ({ iteration }) => workOf(at(iteration), iteration),
      judge: ({ iteration }) => wordOf(at(iteration)),
    },
    arrange: (one) => {
      world = one;
    },
    checks: () => at(lastWorked(world)).exit_code,
  };
}

/** The iteration whose work is there to be checked: of this run, or of the one before. */
function lastWorked(world: World | undefined): number {
  const inThisRun = world?.agent.asked("executor").at(-1)?.iteration;
  return inThisRun ?? recorded(world?.history.kept ?? [], "summary").length;
}

function workOf({ works, changes }: Plan, iteration: number): Scene {
  const files_modified = changes ? [`file ${iteration}`] : [];
  if (works === "crashed" || works === "malformed") return { ...failing(works), files_modified };
  return { ...worked(`work ${iteration}`, { status: works, approach: `way ${iteration}` }), files_modified };
}

function wordOf({ judge }: Plan): Scene {
  if (judge === "nonsense") return { structured: { is_complete: "very much" } };
  if (judge === "contradiction") return judged([false], { is_complete: true });
  return judged([judge === "yes"], { evidence: `it says ${judge}`, suggestion: "go on" });
}

/** Goes on as after a crash: with the first records, and with everything else the run had left by then. */
async function goOnAfter({ records, files }: GoalRun, cut: number, options: GoalOptions): Promise<GoalRun> {
  return await runGoal({ ...options, after: { records: records.slice(0, cut), task: files.task } });
}

/** Records without what differs between two runs of the same plan. */
function lasting(records: readonly HistoryRecord[]): object[] {
  return records.map(({ timestamp: _, ...record }) => ("usage" in record ? { ...record, usage: null } : record));
}
