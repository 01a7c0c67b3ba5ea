import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, answered } from "../../../src/model/task.ts";
import { type GoalOptions, noticeCodes, only, resume, runGoal } from "../../support/run-goal.ts";
import { accepted, failing, judged, unclear } from "../../support/scripted-agent.ts";

const criteria: NonNullable<GoalOptions["criteria"]> = ["It is fast", { command: "npm test" }, "It is pretty"];
const settings = { intake: true };
const judge = [{ structured: { is_complete: true, evaluations: [met(1), met(3)], overall_reason: "seen" } }];

describe("an accepted intake [FR-002]", () => {
  const script = { intake: [accepted("Make the shop fast", ["Pages load in 1 s", "No layout shifts"])], judge };

  test("gives the worker its wording, one to one and in the user's order, and the judge both", async () => {
    const { agent, result } = await runGoal({ task: "Make it fast", criteria, settings, script });

    expect(agent.prompts("executor")[0]).toContain("Make the shop fast");
    expect(agent.prompts("executor")[0]).toContain("1. Pages load in 1 s\n2. `npm test` exits 0\n3. No layout shifts");
    expect(agent.prompts("judge")[0]).toContain("Make it fast\n\nAs the intake understood it: Make the shop fast");
    expect(agent.prompts("judge")[0]).toContain(
      "1. It is fast\n   As the intake understood it: Pages load in 1 s\n3. It is pretty\n   As the intake understood it: No layout shifts",
    );
    expect(result.final_judgment?.evaluations.map(({ criterion }) => criterion)).toEqual([
      "Pages load in 1 s",
      "`npm test` exits 0",
      "No layout shifts",
    ]);
  });

  test("leaves the user's own words and the checks as they were, and shows both", async () => {
    const { files, commands, events } = await runGoal({ task: "Make it fast", criteria, settings, script });

    expect(files.task.configuration.task).toBe("Make it fast");
    expect(files.task.configuration.criteria).toMatchObject([
      { text: "It is fast" },
      { command: "npm test" },
      { text: "It is pretty" },
    ]);
    expect(files.task.intake?.criteria).toEqual(["Pages load in 1 s", "No layout shifts"]);
    expect(commands.requests.map(({ command }) => command)).toEqual(["npm test"]);
    expect(only(events, "intake")).toMatchObject([
      { criteria: files.task.configuration.criteria, result: { criteria: ["Pages load in 1 s", "No layout shifts"] } },
    ]);
  });

  test("is saved before it is announced", async () => {
    const { journal } = await runGoal({ criteria, settings, script });
    expect(journal.indexOf("saved intake")).toBeLessThan(journal.indexOf("announced intake"));
  });

  test("stands aside where it has nothing to say: an empty text is the user's own", async () => {
    const { agent } = await runGoal({
      task: "Make it fast",
      criteria,
      settings,
      script: { intake: [accepted(" ", ["", "No layout shifts"])], judge },
    });
    expect(agent.prompts("executor")[0]).toContain("Make it fast");
    expect(agent.prompts("executor")[0]).toContain("1. It is fast\n2. `npm test` exits 0\n3. No layout shifts");
  });
});

describe("an intake that drops, merges or adds criteria", () => {
  const wrongLists = fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }).filter((list) => list.length !== 2);

  test("is asked again with the objection, and then the user's own words stand", async () => {
    await fc.assert(
      fc.asyncProperty(wrongLists, async (list) => {
        const { agent, files, events } = await runGoal({
          criteria,
          settings,
          script: { intake: [accepted("Else", list)], judge },
        });

        expect(agent.asked("intake")).toHaveLength(2);
        expect(agent.prompts("intake")[1]).toContain(
          `criteria has ${list.length} ${list.length === 1 ? "text" : "texts"} instead of 2`,
        );
        expect(files.task.intake).toMatchObject({
          status: "accepted",
          task: "Make it work",
          criteria: ["It is fast", "It is pretty"],
        });
        expect(noticeCodes(events)).toEqual(["asked_again", "intake_ignored"]);
      }),
      { numRuns: 30 },
    );
  });

  test("is heard when its second answer keeps them", async () => {
    const intake = [
      accepted("Else", ["only one"]),
      accepted("Make it fast", ["Pages load in 1 s", "No layout shifts"]),
    ];
    const { agent, files } = await runGoal({ criteria, settings, script: { intake, judge } });

    expect(agent.asked("intake")).toHaveLength(2);
    expect(files.task.intake?.criteria).toEqual(["Pages load in 1 s", "No layout shifts"]);
  });
});

describe("an intake that gives no usable answer does not keep a clear task from being worked on", () => {
  test.each([
    { name: "it failed twice", scene: failing("crashed") },
    { name: "it answered without structure", scene: { text: "Looks fine to me!" } },
    { name: "it wanted clarification but asked nothing", scene: unclear() },
  ])("$name", async ({ scene }) => {
    const { result, agent, events } = await runGoal({ settings, script: { intake: [scene] } });

    expect(result.status).toBe("completed");
    expect(agent.asked("intake")).toHaveLength(2);
    expect(agent.prompts("executor")[0]).toContain("1. It works");
    expect(noticeCodes(events)).toContain("intake_ignored");
    expect(events.filter(({ type }) => type === "intake")).toEqual([]); // nobody has found the task clear
  });
});

describe("clarification [FR-003]", () => {
  test("answers are saved and reach the next intake, and work begins once it accepts", async () => {
    const intake = [unclear("How fast?", "Where?"), accepted("Make it fast", ["It loads in 1 s"])];
    const { result, agent, files } = await runGoal({ settings, ask: answering("1 second"), script: { intake } });

    expect(agent.prompts("intake")[0]).not.toContain("1 second");
    expect(agent.prompts("intake")[1]).toContain("- How fast?\n  1 second to How fast?");
    expect(agent.prompts("intake")[1]).toContain("- Where?\n  1 second to Where?");
    expect(files.task.answers).toHaveLength(2);
    expect(result.status).toBe("completed");
  });

  test("the user is asked three times at most, and every answer given is kept and used", async () => {
    const asked: string[] = [];
    const { result, agent, files } = await runGoal({
      settings,
      ask: (questions) => {
        asked.push(...questions.map(({ question }) => question));
        return answering("this")(questions);
      },
      script: { intake: [unclear("First?"), unclear("Second?"), unclear("Third?"), unclear("Fourth?")] },
    });

    expect(asked).toEqual(["First?", "Second?", "Third?"]);
    expect(files.task.answers.map(({ question }) => question)).toEqual(asked);
    expect(agent.prompts("intake").at(-1)).toContain("this to Third?");
    expect(result.status).toBe("clarification_needed");
    expect(result.clarification_questions.map(({ question }) => question)).toEqual(["Fourth?"]);
    expect(agent.asked("executor")).toEqual([]);
  });

  test("a third answer that makes it clear lets work begin", async () => {
    const intake = [unclear("First?"), unclear("Second?"), unclear("Third?"), accepted("Make it work", ["It works"])];
    const { result } = await runGoal({ settings, ask: answering("this"), script: { intake } });
    expect(result.status).toBe("completed");
  });

  test.each([
    { name: "nobody is there to ask", ask: undefined },
    { name: "the user does not answer", ask: async () => undefined },
  ])("when $name, the questions are recorded and nothing is executed", async ({ ask }) => {
    const { result, records, agent, events } = await runGoal({
      settings,
      ...(ask ? { ask } : {}),
      script: { intake: [unclear("How fast?")] },
    });

    expect(records).toEqual([result]);
    expect(result).toMatchObject({
      status: "clarification_needed",
      stop_reason: "clarification_needed",
      clarification_questions: [{ question: "How fast?", suggested_answers: ["yes", "no"] }],
    });
    expect(only(events, "clarification")).toHaveLength(1);
    expect(agent.asked("executor")).toEqual([]);
  });

  test("questions left open are put again without asking the intake for them again", async () => {
    const first = await runGoal({ settings, script: { intake: [unclear("How fast?")] } });
    const second = await resume(first, { settings });

    expect(second.agent.asked("intake")).toEqual([]);
    expect(second.result).toMatchObject({
      status: "clarification_needed",
      clarification_questions: [{ question: "How fast?" }],
    });
  });

  test("a question that the intake puts again, in the same words, is open again", async () => {
    let asked = 0;
    const once = (questions: readonly { question: string }[]) =>
      asked++ === 0 ? answering("soon")(questions) : Promise.resolve(undefined);
    const intake = [unclear("How fast?"), unclear("How fast?")];
    const first = await runGoal({ settings, ask: once, script: { intake } });
    const second = await resume(first, { settings });

    expect(first.files.task.answers).toHaveLength(1);
    expect(second.agent.asked("intake")).toEqual([]);
    expect(second.result).toMatchObject({ clarification_questions: [{ question: "How fast?" }] });
  });

  test("answers that come after it has accepted change nothing of that", async () => {
    const { files } = await runGoal({ settings, script: { intake: [accepted("Make it fast", ["It loads in 1 s"])] } });
    const { intake } = answered(files.task, [{ question: "How fast?", answer: "1 second" }]);
    expect(intake).toMatchObject({ status: "accepted", criteria: ["It loads in 1 s"] });
  });

  test("answers given later reach the intake of the resumed run", async () => {
    const first = await runGoal({ settings, script: { intake: [unclear("How fast?")] } });
    await first.files.save(answered(first.files.task, [{ question: "How fast?", answer: "1 second" }]));
    const second = await resume(first, {
      settings,
      script: { intake: [accepted("Make it fast", ["It loads in 1 s"])] },
    });

    expect(second.agent.prompts("intake")[0]).toContain("- How fast?\n  1 second");
    expect(second.result.status).toBe("completed");
  });
});

describe("no intake is asked", () => {
  test("when all criteria are checks", async () => {
    const { agent } = await runGoal({ criteria: [{ command: "npm test" }], settings });
    expect(agent.asked("intake")).toEqual([]);
  });

  test("when it is switched off", async () => {
    const { agent, files } = await runGoal({ settings: { intake: false } });
    expect(agent.asked("intake")).toEqual([]);
    expect(files.task.intake).toBeNull();
  });

  test("when it was accepted in an earlier run", async () => {
    const first = await runGoal({ settings, script: { judge: [failing("authentication")] } });
    const second = await resume(first, { settings, script: { judge: [judged([true])] } });

    expect(second.result.status).toBe("completed");
    expect(second.agent.asked("intake")).toEqual([]);
  });
});

test("the intake sees which commands stand beside the sentences, but not a hidden one", async () => {
  const hidden = { command: "secret-check", description: "it survives", hidden: true };
  const { agent } = await runGoal({ criteria: ["It works", { command: "npm test" }, hidden], settings });

  expect(agent.prompts("intake")[0]).toContain("2. `npm test` exits 0\n3. it survives");
  expect(agent.prompts("intake")[0]).not.toContain("secret-check");
});

function answering(word: string) {
  return async (questions: readonly { question: string }[]): Promise<Answer[]> =>
    questions.map(({ question }) => ({ question, answer: `${word} to ${question}` }));
}

function met(id: number) {
  return { id, criterion: "", is_met: true, evidence: "seen", confidence: 1 };
}
