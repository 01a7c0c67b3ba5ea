import { describe, expect, test } from "vitest";
import type { Assignment } from "../../../src/model/agent.ts";
import { type GoalOptions, recorded, resume, runGoal } from "../../support/run-goal.ts";
import { failing, judged, type Scene } from "../../support/scripted-agent.ts";

const JUDGES = ["m", "openai:gpt-5"];

/** What each judge says, by its model, in order. */
function judges(words: Record<string, Scene[]>) {
  const turns = new Map<string, number>();
  return ({ model = "m" }: Assignment): Scene => {
    const turn = turns.get(model) ?? 0;
    turns.set(model, turn + 1);
    return words[model]?.[turn] ?? words[model]?.at(-1) ?? judged([true]);
  };
}

function task(words: Record<string, Scene[]>, more: Partial<GoalOptions> = {}) {
  return runGoal({
    changes: [["README.md"]],
    ...more,
    settings: { judges: JUDGES, max_iterations: 2, ...more.settings },
    script: { judge: judges(words) },
  });
}

describe("several judges", () => {
  test("who all agree complete the task; each is asked, and what each costs counts", async () => {
    const spent = { usage: { tokens: 100, cost_usd: 0.5 } };
    const { agent, result } = await task({
      m: [{ ...judged([true]), ...spent }],
      "openai:gpt-5": [{ ...judged([true]), ...spent }],
    });

    expect(result).toMatchObject({ status: "completed", iterations_used: 1, usage: { tokens: 200, cost_usd: 1 } });
    expect(agent.asked("judge").map(({ model }) => model)).toEqual([undefined, "openai:gpt-5"]);
  });

  test("who disagree leave it open, and the next worker reads who said what", async () => {
    const no = judged([false], { evidence: "the README has no example" });
    const { agent, records, result } = await task({ "openai:gpt-5": [no, judged([true])] });

    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(recorded(records, "judgment")[0]).toMatchObject({
      is_complete: false,
      evaluations: [{ is_met: false, outcome: { code: "judges_split" } }],
    });
    const next = agent.prompts("executor")[1];
    expect(next).toContain("Met, say: m. Not met, say: openai:gpt-5.");
    expect(next).toContain("openai:gpt-5: the README has no example");
  });

  test("are named as those who have answered, also where another worker has stood in for one", async () => {
    const { records } = await task({ m: [{ ...judged([true]), answered_by: "codex" }] });

    expect(recorded(records, "judgment")[0]?.evaluations[0]?.said_by?.map(({ model }) => model)).toEqual([
      "codex",
      "openai:gpt-5",
    ]);
  });

  test("are not asked any more once one has objected, and the record says so", async () => {
    const { agent, records } = await task({ m: [judged([false])] }, { settings: { max_iterations: 1 } });

    expect(agent.asked("judge")).toHaveLength(1);
    expect(recorded(records, "judgment")[0]?.reasons).toContainEqual({
      code: "judges_not_asked",
      params: { models: ["openai:gpt-5"] },
    });
  });

  test("one of whom is broken do not complete it", async () => {
    const { result, records } = await task({ "openai:gpt-5": [failing("refused", "it refused")] });
    expect(result.status).toBe("max_iterations");
    expect(recorded(records, "judgment")[0]).toMatchObject({
      evaluations: [{ is_met: false, source: "nobody" }],
      reasons: [{ code: "judge_failed" }],
    });
  });
});

describe("several judges and the proof", () => {
  const CHANGED = [{ path: "README.md", status: "modified" as const, added: 1, removed: 0 }];
  const proven = { proof: { changes: CHANGED }, settings: { proof: "auto" as const, reviewers: [] } };

  test("all of them are asked afresh, and a second thought of one refutes the claim", async () => {
    const { agent, records } = await task(
      { "openai:gpt-5": [judged([true]), judged([false]), judged([true])] },
      proven,
    );
    const [first, second] = recorded(records, "proof");
    expect(first).toMatchObject({ holds: false, evaluations: [{ is_met: false, outcome: { code: "judges_split" } }] });
    expect(second).toMatchObject({ holds: true });
    expect(agent.asked("judge")).toHaveLength(8);
  });

  test("unchanged work is not judged again: their former words stand, split as they were", async () => {
    const same = { proof: { isSame: true, changes: CHANGED }, settings: { stall_limit: 3, max_iterations: 9 } };
    const { agent, records, result } = await task({ "openai:gpt-5": [judged([false]), judged([true])] }, same);

    expect(agent.asked("judge")).toHaveLength(2);
    expect(result).toMatchObject({ status: "stalled", iterations_used: 4 });
    expect(recorded(records, "judgment").at(-1)).toMatchObject({
      evaluations: [
        { is_met: false, outcome: { code: "judges_split" }, said_by: [{ is_met: true }, { is_met: false }] },
      ],
      reasons: [{ code: "not_judged_again" }],
    });

    const later = await resume(
      await task({ "openai:gpt-5": [judged([false])] }, { ...same, settings: { max_iterations: 1 } }),
      {
        ...same,
        settings: { judges: JUDGES, max_iterations: 2 },
        script: { judge: judges({}) },
      },
    );
    expect(later.agent.asked("judge")).toEqual([]);
  });
});
