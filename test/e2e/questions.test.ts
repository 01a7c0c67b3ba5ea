import { describe, expect, test, vi } from "vitest";
import { fault, story } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import type { ScriptedSandbox } from "../support/sandbox.ts";
import { accepts, asks, judges, summarizes, works } from "../support/stories.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const RUN = ["run", "Make it fast", "-c", "it is fast enough"];
const FAST = {
  question: "How fast is fast enough?",
  context: "It takes two seconds now.",
  suggested_answers: ["under 100 ms", "under one second"],
};
const WHERE = { question: "On which machine?", suggested_answers: [] };

const WORK = [works("made it fast"), summarizes("made it fast"), judges(true, [{ id: 1, is_met: true }])];

/** The intake asks until it is told, in whichever run, and lets the work begin. */
function clarified() {
  return story({ ...accepts("it answers in time"), when: WHERE.question }, asks(FAST, WHERE), ...WORK);
}

/** What the intake was asked last. */
async function lastIntake({ asked }: ScriptedSandbox): Promise<string | undefined> {
  return (await asked("intake")).at(-1)?.text;
}

describe.skipIf(!hasTmux)("questions at a terminal", () => {
  test("an answer is chosen with the arrows or written, and the run goes on in the live view", async () => {
    const box = await quickScripted(clarified());
    const terminal = await openTerminal(box, RUN, { columns: 80, rows: 24 });

    await terminal.shows(/◆ {2}How fast is fast enough\?\n│ {2}It takes two seconds now\.\n│ {2}● under 100 ms/);
    expect((await terminal.screen()).join("\n")).not.toContain("Ctrl-C stops"); // the live view has made room
    await terminal.press("Down", "Enter");
    await terminal.answer("◆  On which machine?", "the build server");
    await terminal.shows("exit code 0");
    await terminal.isUsable();

    const prompt = await lastIntake(box);
    expect(prompt).toContain("under one second");
    expect(prompt).toContain("the build server");
  });

  test("another answer than the suggested ones is written, and a blank one is asked for again", async () => {
    const box = await quickScripted(clarified());
    const terminal = await openTerminal(box, RUN);

    await terminal.shows("another answer …");
    await terminal.press("Up", "Enter");
    await terminal.answer("◆  your answer", "   ");
    await terminal.answer("Please answer", "日本語で：三秒以内");
    await terminal.answer("◆  On which machine?", "mine");
    await terminal.shows("exit code 0");

    const prompt = await lastIntake(box);
    expect(prompt).toContain("日本語で：三秒以内");
  });

  test.each(["Escape", "C-c"])(
    "%s leaves the questions open, also in `e8 answer`, which puts them again",
    async (key) => {
      const box = await quickScripted(clarified());
      const terminal = await openTerminal(box, RUN);

      await terminal.shows("◆  How fast");
      await terminal.press(key);
      await terminal.shows("exit code 4");
      await terminal.isUsable();
      const [id = ""] = await box.tasks();
      const answer = `clear; '${process.execPath}' "$E8" answer ${id}; echo "exit code $?"`;
      await terminal.type(answer);
      await terminal.press("Enter");
      await terminal.shows("◆  How fast");
      await terminal.press(key);
      await terminal.shows(/exit code \d/);
      const left = (await terminal.screen()).join("\n");
      await terminal.type(answer);
      await terminal.press("Enter");
      await terminal.shows("◆  How fast");
      await terminal.press("Enter");
      await terminal.answer("◆  On which machine?", "mine");
      await terminal.shows("exit code 0");

      const prompt = await lastIntake(box);
      expect(prompt).toContain("under 100 ms");
      expect(left).toMatch(new RegExp(`questions open: .*\\nnext: Answer with: e8 answer ${id}\\nexit code 4`));
      expect(left).not.toContain("error:");
    },
  );

  test("Esc at the second question keeps the first answer, in the run and in `e8 answer`", async () => {
    const ALSO = { question: "By when?", suggested_answers: [] };
    const told = { ...accepts("it answers in time"), when: ALSO.question };
    const box = await quickScripted(story(told, asks(FAST, WHERE, ALSO), ...WORK));
    const terminal = await openTerminal(box, RUN);
    await terminal.shows("◆  How fast");
    await terminal.press("Enter");
    await terminal.shows("◆  On which machine?");
    await terminal.press("Escape");
    await terminal.shows("exit code 4");

    const [id = ""] = await box.tasks();
    const show = await box.e8(["show", id]);
    expect(show.stdout).toMatch(/question: How fast[^\n]*\n +answer: under 100 ms/);
    expect(show.stdout).toMatch(/^\? On which machine\?\n\? By when\?$/m);
    const answer = `clear; '${process.execPath}' "$E8" answer ${id}; echo "exit code $?"`;
    await terminal.type(answer);
    await terminal.press("Enter");
    await terminal.answer(/^◆ {2}On which machine\?/m, "mine");
    await terminal.shows("◆  By when?");
    await terminal.press("Escape");
    await terminal.shows("exit code 4");
    await terminal.type(answer);
    await terminal.press("Enter");
    await terminal.answer(/^◆ {2}By when\?/m, "tonight");
    await terminal.shows("exit code 0");

    const prompt = await lastIntake(box);
    for (const text of ["under 100 ms", "mine", "tonight"]) expect(prompt).toContain(text);
  });

  test("Ctrl-Z gives the shell its terminal back, and after fg the question is put again", async () => {
    const box = await quickScripted(clarified());
    const terminal = await openTerminal(box, RUN);
    const stopAndGoOn = async () => {
      await terminal.press("C-z");
      await terminal.shows("Stopped");
      await terminal.isUsable();
      await terminal.type("clear; fg");
      await terminal.press("Enter");
    };

    await terminal.shows("◆  How fast");
    await stopAndGoOn();
    await terminal.shows(/◆ {2}How fast[\s\S]*● under 100 ms/);
    await terminal.press("Down", "Enter");
    await terminal.shows("◆  On which machine?");
    await terminal.type("the build ser");
    await terminal.shows("the build ser");
    await stopAndGoOn();
    await terminal.answer(/◆ {2}On which machine\?\n│ {2}the build ser/, "ver");
    await terminal.shows("completed: every criterion is met");
    await terminal.isUsable();

    const prompt = await lastIntake(box);
    expect(prompt).toContain("under one second");
    expect(prompt).toContain("the build server");
  });

  test("Ctrl-Z and then Esc leave the questions open", async () => {
    const box = await quickScripted(story(asks(WHERE)));
    const terminal = await openTerminal(box, RUN);

    await terminal.shows("◆  On which machine?");
    await terminal.press("C-z");
    await terminal.shows("Stopped");
    await terminal.type("clear; fg");
    await terminal.press("Enter");
    await terminal.shows("◆  On which machine?");
    await terminal.press("Escape");
    await terminal.shows("needs answers");
    await terminal.isUsable();
  });

  test("everything around a question is Japanese for a Japanese user, and text cannot steer the terminal", async () => {
    const hostile = { question: "速さは\u001b]2;taken over\u0007？", suggested_answers: ["\u001b[2J一秒"] };
    const box = await quickScripted(story(asks(hostile)));
    const terminal = await openTerminal(box, RUN, { env: { LANG: "ja_JP.UTF-8" } });

    await terminal.shows(/先に|作業を始める前に/);
    await terminal.shows(/上下キーで選び[\s\S]*◆ {2}速さは？\n│ {2}● 一秒\n│ {2}○ 別の回答を入力…/);
    expect(await terminal.fact("pane_title")).not.toContain("taken over");
    await terminal.press("Escape");
    await terminal.shows("exit code 4");
  });
});

describe.skipIf(!hasTmux)("a task that asks its questions now", () => {
  test("`e8 answer` elsewhere says where they are asked, and how to answer them here instead", async () => {
    const box = await quickScripted(clarified());
    const terminal = await openTerminal(box, RUN);
    await terminal.shows("◆  How fast");
    const [id = ""] = await box.tasks();

    const refused = await box.e8(["answer", id, "-a", "1", "-a", "mine"]);
    const japanese = await box.e8(["answer", id, "--lang", "ja"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/is running now: process \d+ on /)]);
    expect(refused.stderr).toContain(`stop it and answer here: e8 cancel ${id} && e8 answer ${id}`);
    expect(japanese.stderr).toMatch(/実行中です[\s\S]*次の手順：質問はそちらで表示されています/);

    expect((await box.e8(["cancel", id])).code).toBe(0);
    await terminal.shows("exit code 3");
    expect((await box.e8(["answer", id, "-a", "1", "-a", "mine"])).code).toBe(0);
  });
});

test("of a task that runs and asks nothing, `e8 answer` says how to look at it and how to stop it", async () => {
  const box = await quickSandbox();
  const run = box.start(["run", "x", "--check", "true", "--agent-command", "until [ -f go ]; do sleep 0.1; done"]);
  const id = await vi.waitFor(
    async () => {
      expect((await box.e8(["list", "--json"])).stdout).toContain('"running"');
      return (await box.tasks())[0] ?? "";
    },
    { timeout: 20_000, interval: 100 },
  );

  const { code, stderr } = await box.e8(["answer", id, "-a", "1"]);
  await box.write("go", "");
  await run.ended;

  expect([code, stderr]).toEqual([2, expect.stringContaining(`See how far it is: e8 show ${id}`)]);
  expect(stderr).not.toContain("--resume");
});

test("questions that were answered are not put again, wherever the run was stopped after that", async () => {
  const stalls = { who: "intake", when: FAST.question, turns: [fault({ kind: "stall" })] };
  const { e8, start, tasks, read, asked } = await quickScripted(story(stalls, asks(FAST)));
  await e8(RUN);
  const [id = ""] = await tasks();
  const run = start(["answer", id, "-a", "1"]);
  await vi.waitFor(async () => expect(await asked("intake")).toHaveLength(2), { timeout: 60_000 });
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(3);

  const { code, stderr } = await e8(["answer", id, "-a", "2"]);

  expect([code, stderr]).toEqual([2, expect.stringContaining(`no open questions`)]);
  expect(stderr).toContain(`go on with it: e8 run --resume ${id}`);
  const { answers } = JSON.parse(await read(`.e8/tasks/${id}/task.json`));
  expect(answers).toEqual([{ question: FAST.question, answer: "under 100 ms" }]);
});

test("an answer in the words of a suggestion is that one, whatever number it might be", async () => {
  const { e8, tasks, read } = await quickScripted(
    story(
      { ...accepts("it is done"), when: "How many?" },
      asks({ question: "How many?", suggested_answers: ["3", "5", "10"] }),
      ...WORK,
    ),
  );
  await e8(RUN);
  const [id = ""] = await tasks();

  await e8(["answer", id, "-a", " 3 "]);

  const { answers } = JSON.parse(await read(`.e8/tasks/${id}/task.json`));
  expect(answers).toEqual([{ question: "How many?", answer: "3" }]);
});

test("a number that no suggestion has is refused with the choices, and nothing is kept of the answers", async () => {
  const { e8, tasks, read } = await quickScripted(story(asks(WHERE, FAST)));
  await e8(RUN);
  const [id = ""] = await tasks();

  for (const number of ["5", "0"]) {
    const { code, stderr } = await e8(["answer", id, "-a", "mine", "-a", number]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `has no suggested answer ${number}. The choices are:\n  1. under 100 ms\n  2. under one second`,
    );
  }
  expect(JSON.parse(await read(`.e8/tasks/${id}/task.json`)).answers).toEqual([]);
});

test("without a terminal the open questions stand in `e8 show` and where `e8 answer` has too few answers", async () => {
  const { e8, tasks } = await quickScripted(story(asks(FAST, WHERE)));
  expect((await e8(RUN)).code).toBe(4);
  const [id = ""] = await tasks();
  const questions = [
    "? How fast is fast enough?\n  It takes two seconds now.\n    1. under 100 ms\n    2. under one second",
    "? On which machine?",
  ].join("\n");

  expect((await e8(["show"])).stdout).toContain(questions);
  for (const given of [[], ["-a", "1"]]) {
    const { stderr, code } = await e8(["answer", id, ...given]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(questions)]);
    expect(stderr).toMatch(/has 2 open questions, and each needs an answer\.\nnext: Give the answers in order/);
  }
});
