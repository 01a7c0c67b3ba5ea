import { describe, expect, test } from "vitest";
import { type Answer, answered } from "../../../src/model/task.ts";
import { type GoalOptions, resume, runGoal } from "../../support/run-goal.ts";
import { accepted, type Scene, unclear } from "../../support/scripted-agent.ts";

const criteria: NonNullable<GoalOptions["criteria"]> = ["fast enough", { command: "npm test" }, "pretty"];
const settings = { intake: true, max_iterations: 1 };
const ask = async (questions: readonly { question: string }[]): Promise<Answer[]> =>
  questions.map(({ question }) => ({ question, answer: "< 100 ms" }));
const ASKED = "   The user was asked: How fast?\n   The user's answer, which decides: < 100 ms";

describe("an answer decides: worker and judge read it beside its criterion", () => {
  test.each<{ name: string; second: Scene; wording: string; judged?: string }>([
    {
      name: "rewrote its criteria",
      second: accepted("T", ["quick", "nice"]),
      wording: "1. quick\n   The user's own words: fast enough\n",
      judged: "1. fast enough\n   As the intake understood it: quick\n",
    },
    { name: "kept its criteria", second: accepted("T", ["fast enough", "pretty"]), wording: "1. fast enough\n" },
    { name: "dropped a criterion", second: accepted("T", ["quick and nice"]), wording: "1. fast enough\n" },
    { name: "reordered its criteria", second: accepted("T", ["pretty", "fast enough"]), wording: "1. fast enough\n" },
    { name: "failed", second: { text: "Looks fine!" }, wording: "1. fast enough\n" },
  ])("when the intake $name", async ({ second, wording, judged = wording }) => {
    const { agent } = await runGoal({ criteria, settings, ask, script: { intake: [about(1), second] } });

    expect(agent.prompts("executor")[0]).toContain(`${wording}${ASKED}\n2. \`npm test\` exits 0\n3. `);
    expect(agent.prompts("judge")[0]).toContain(`${judged}${ASKED}\n3. `);
  });

  test("also after a resume", async () => {
    const options: GoalOptions = { criteria, settings, script: { intake: [about(3)] } };
    const first = await runGoal(options);
    await first.store.save(answered(first.store.task, [{ question: "How fast?", answer: "< 100 ms" }]));
    const second = await resume(first, { ...options, script: { intake: [accepted("T", ["quick", "nice"])] } });
    const third = await resume(second, { settings: { ...settings, max_iterations: 2 } });

    for (const { agent } of [second, third]) {
      expect(agent.prompts("executor")[0]).toContain(`3. nice\n   The user's own words: pretty\n${ASKED}\n`);
      expect(agent.prompts("judge")[0]).toContain(`3. pretty\n   As the intake understood it: nice\n${ASKED}\n`);
    }
  });

  test("when the intake does not say which criterion it means, but quotes it", async () => {
    const intake = [unclear("What is pretty?"), accepted("T", ["quick", "nice"])];
    const { agent } = await runGoal({ criteria, settings, ask, script: { intake } });
    expect(agent.prompts("judge")[0]).toMatch(
      /3\. pretty\n.*nice\n {3}The user was asked: What is pretty\?\n.*< 100 ms/,
    );
  });

  test("when there is only one that a question can be about", async () => {
    const intake = [unclear("How fast?"), accepted("T", [])];
    const { agent } = await runGoal({ criteria: ["fast enough"], settings, ask, script: { intake } });
    expect(agent.prompts("executor")[0]).toContain(`1. fast enough\n${ASKED}\n`);
  });
});

test("an answer whose criterion cannot be found is shown as the answer to its question", async () => {
  const intake = [unclear("On which machine?"), accepted("T", ["quick", "nice"])];
  const { agent } = await runGoal({ criteria, settings, ask, script: { intake } });

  const apart = "\n\nThe user was asked: On which machine?\nThe user's answer, which decides: < 100 ms\n";
  expect(agent.prompts("executor")[0]).toContain(`3. nice${apart}`);
  expect(agent.prompts("judge")[0]).toContain(`3. pretty\n   As the intake understood it: nice${apart}`);
});

test("questions in the same words about two criteria each keep their own", async () => {
  const twice = unclear("How much?", "How much?");
  const questions = [1, 3].map((criterion) => ({ question: "How much?", criterion }));
  const first = { structured: { ...(twice.structured as object), clarification_questions: questions } };
  const answers = ["a lot", "a little"];
  const { agent } = await runGoal({
    criteria,
    settings,
    ask: async (asked) => asked.map(({ question }, index) => ({ question, answer: answers[index] ?? "" })),
    script: { intake: [first, accepted("T", ["fast enough", "pretty"])] },
  });
  expect(agent.prompts("judge")[0]).toMatch(
    /1\. fast enough\n.*\n.*decides: a lot\n3\. pretty\n.*\n.*decides: a little\n/,
  );
});

test("an intake that reorders the criteria is told so", async () => {
  const intake = [accepted("T", ["pretty", "fast enough"]), accepted("T", ["quick", "nice"])];
  const { agent, store } = await runGoal({ criteria, settings, script: { intake } });
  expect(agent.prompts("intake")[1]).toContain("criteria is in another order");
  expect(store.task.intake?.criteria).toEqual(["quick", "nice"]);
});

/** Asks how fast, about the criterion with this number. */
function about(criterion: number): Scene {
  const clarification_questions = [{ question: "How fast?", criterion }];
  return { structured: { status: "needs_clarification", task: "", criteria: [], clarification_questions } };
}
