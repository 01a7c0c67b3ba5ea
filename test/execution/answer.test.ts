import { describe, expect, test } from "vitest";
import { message } from "../../src/model/message.ts";
import { teller } from "../../src/texts/tell.ts";
import { noticeCodes, recorded, runGoal } from "../support/run-goal.ts";
import { failing, judged, type Scene, summarized, worked } from "../support/scripted-agent.ts";

const useless: { name: string; scene: Scene; objection: string }[] = [
  { name: "no structured answer", scene: { text: "Sure!" }, objection: "there was no structured answer" },
  {
    name: "an answer of another shape",
    scene: { structured: { reason: 7, is_complete: true } },
    objection: "Invalid input",
  },
  { name: "a malformed stream", scene: failing("malformed", "not JSON"), objection: "not JSON" },
  { name: "a crash", scene: failing("crashed", "it fell over"), objection: "it fell over" },
];

describe.each(useless)("$name", ({ scene, objection }) => {
  test("from the judge is asked again with the objection, and a good second answer counts", async () => {
    const { agent, result, events } = await runGoal({ script: { judge: [scene, judged([true])] } });

    expect(agent.prompts("judge")[0]).not.toContain(objection);
    expect(agent.prompts("judge")[1]).toContain("Your last answer could not be used");
    expect(agent.prompts("judge")[1]).toContain(objection);
    expect(result.status).toBe("completed");
    expect(noticeCodes(events)).toEqual(["asked_again"]);
  });

  test("twice from the judge is not complete, with the reason, and the next worker goes on", async () => {
    const { agent, records, result } = await runGoal({ script: { judge: [scene, scene, judged([true])] } });
    const [first] = recorded(records, "judgment");

    expect(first).toMatchObject({ is_complete: false, evaluations: [{ is_met: false, source: "nobody" }] });
    expect(first?.reasons).toEqual([message("judge_failed", { problem: expect.anything() })]);
    expect(first?.reasons?.map(teller("en")).join()).toContain(objection);
    expect(first?.overall_reason).toBe("");
    expect(agent.prompts("executor")[1]).toContain(objection);
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  });

  test("twice from the summarizer leads to a mechanical summary", async () => {
    const { agent, records, events, result } = await runGoal({
      script: { executor: [worked("wrote 12 lines", { approach: "by hand" })], summarizer: [scene] },
    });

    expect(agent.prompts("summarizer")).toHaveLength(2);
    expect(agent.prompts("summarizer")[1]).toContain(objection);
    expect(records[0]).toMatchObject({
      type: "summary",
      approach: "by hand",
      reason: "wrote 12 lines",
      result: "success",
    });
    expect(noticeCodes(events)).toEqual(["asked_again", "summary_mechanical"]);
    expect(result.status).toBe("completed");
  });
});

describe("a judge that contradicts itself", () => {
  const contradiction = judged([false], { is_complete: true, evidence: "page 3 is empty" });

  test("is asked once more, and its second answer counts", async () => {
    const { agent, result } = await runGoal({ script: { judge: [contradiction, judged([true])] } });

    expect(agent.prompts("judge")[1]).toContain("is_complete is true, which contradicts the evaluations");
    expect(result).toMatchObject({ status: "completed", iterations_used: 1 });
  });

  test("twice is taken at its worst, and its evidence is kept", async () => {
    const { agent, records, events } = await runGoal({
      script: { judge: [contradiction] },
      settings: { max_iterations: 1 },
    });

    expect(agent.asked("judge")).toHaveLength(2);
    expect(noticeCodes(events)).toEqual(["asked_again", "role_failed"]);
    expect(records[1]).toMatchObject({
      is_complete: false,
      evaluations: [{ is_met: false, evidence: "page 3 is empty" }],
    });
  });

  test("and then falls silent is taken at its first word", async () => {
    const { records } = await runGoal({
      script: { judge: [contradiction, failing("silent")] },
      settings: { max_iterations: 1 },
    });
    expect(records[1]).toMatchObject({
      is_complete: false,
      evaluations: [{ is_met: false, evidence: "page 3 is empty" }],
    });
  });
});

describe("an executor whose answer is malformed", () => {
  test("is asked again at once, which is announced", async () => {
    const { agent, records, events } = await runGoal({
      script: { executor: [failing("malformed", "broken stream"), worked("fine now")] },
    });

    expect(agent.asked("executor").map(({ iteration }) => iteration)).toEqual([1, 1]);
    expect(records[0]).toMatchObject({ iteration: 1, result: "success", metadata: { error_type: null } });
    expect(noticeCodes(events)).toEqual(["asked_again"]);
  });

  test("twice is recorded as an error, which the next prompt shows", async () => {
    const malformed = failing("malformed", "broken stream");
    const { agent, records, result } = await runGoal({
      script: { executor: [malformed, malformed, worked("fine now")], judge: [judged([false]), judged([true])] },
    });

    expect(records[0]).toMatchObject({ result: "error", metadata: { error_type: "malformed" } });
    expect(agent.prompts("executor")).toHaveLength(3);
    expect(agent.prompts("executor")[2]).toContain("result: error (malformed)");
    expect(agent.prompts("executor")[2]).toContain("broken stream");
    expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
  });
});

describe("an executor that fails otherwise", () => {
  test.each(["silent", "timeout", "turn_limit", "budget", "context_overflow", "refused", "crashed"] as const)(
    "(%s) is recorded as an error without an immediate retry, and the next worker reads of it",
    async (code) => {
      const { agent, records, result } = await runGoal({
        script: {
          executor: [{ ...failing(code, "that was that"), text: "got halfway" }, worked("another way")],
          judge: [judged([false]), judged([true])],
          summarizer: [summarized("came halfway"), summarized("went another way")],
        },
      });

      expect(agent.asked("executor").map(({ iteration }) => iteration)).toEqual([1, 2]);
      expect(records[0]).toMatchObject({ result: "error", metadata: { error_type: code } });
      expect(agent.prompts("executor")[1]).toContain(`The agent did not finish (${code}): that was that`);
      expect(agent.prompts("executor")[1]).toContain("came halfway");
      expect(result).toMatchObject({ status: "completed", iterations_used: 2 });
    },
  );
});
