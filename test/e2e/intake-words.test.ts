import { expect, test } from "vitest";
import { answer, scene, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickScripted } from "../support/in-process.ts";
import { scriptedSandbox } from "../support/sandbox.ts";
import { accepts, asks, judges, summarizes, works } from "../support/stories.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const RUN = ["run", "Make it fast", "-c", "it is fast enough"];
const WORK = [works("made it fast"), summarizes("made it fast"), judges(true, [{ id: 1, is_met: true }])];
const NOTE = "Only the search is measured, not the start-up.";
const accepted = { status: "accepted", task: "", criteria: ["it is fast enough"], clarification_questions: [] };
const noted = scene("intake", answer({ ...accepted, validation_notes: NOTE }));

test("the intake's notes are shown while the task runs and when it is looked at, in either language", async () => {
  const { e8, tasks } = await quickScripted(story(noted, ...WORK));

  const { code, stderr } = await e8(RUN);
  const [id = ""] = await tasks();

  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(new RegExp(`^ {2}the intake notes: ${NOTE}$`, "m"));
  expect((await e8(["show", id])).stdout).toMatch(new RegExp(`^ {2}the intake notes: ${NOTE}$`, "m"));
  expect((await e8(["--lang", "ja", "show", id])).stdout).toContain(`  受付の注記：${NOTE}`);
  expect(JSON.parse((await e8(["show", id, "--json"])).stdout)).toMatchObject({
    intake: { validation_notes: NOTE },
  });
});

test("notes beside questions are shown, too", async () => {
  const question = { question: "How fast?", suggested_answers: ["100 ms"] };
  const unclear = { ...accepted, status: "needs_clarification", clarification_questions: [question] };
  const { e8 } = await quickScripted(story(scene("intake", answer({ ...unclear, validation_notes: NOTE }))));

  const { code, stderr } = await e8(RUN);

  expect(code).toBe(4);
  expect(stderr).toContain(`the intake notes: ${NOTE}`);
  expect((await e8(["show"])).stdout).toContain(`the intake notes: ${NOTE}`);
});

test.skipIf(!hasTmux)("the intake's notes stay in the live view", async () => {
  const terminal = await openTerminal(await scriptedSandbox(story(noted, ...WORK)), RUN);
  await terminal.shows("exit code 0");
  expect(await terminal.scrollback()).toContain(`the intake notes: ${NOTE}`);
});

test("an answer given with `e8 answer` reaches worker and judge, although the intake then drops the criterion", async () => {
  const box = await quickScripted(story(asks({ question: "How fast?" })));
  await box.e8(RUN);
  const [id = ""] = await box.tasks();
  await box.plays(story(accepts(), accepts(), ...WORK));

  const { code, stderr } = await box.e8(["answer", id, "-a", "< 100 ms"]);

  expect(code, stderr).toBe(0);
  for (const role of ["executor", "judge"]) {
    const [asked] = await box.asked(role);
    expect(asked?.text, role).toContain("1. it is fast enough\\n   The user was asked: How fast?\\n");
    expect(asked?.text, role).toContain("The user's answer, which decides: < 100 ms\\n");
  }
});
