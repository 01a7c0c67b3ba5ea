import { expect, test } from "vitest";
import { fault, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { quickSandbox, quickScripted } from "../support/in-process.ts";
import { report, summarizes } from "../support/stories.ts";

const PROGRESS = /^iteration 1 of 10$/m;
const NOTE = /^ {2}note: The agent is scripted/m;
const CALL = /→ Bash: false/;

test.each([
  ["error", []],
  ["warning", [NOTE]],
  ["WARNING", [NOTE]],
  ["info", [NOTE, PROGRESS]],
  ["", [NOTE, PROGRESS]],
  ["debug", [NOTE, PROGRESS, CALL]],
])("ENDLESS8_LOG_LEVEL=%s tells so much of a run on stderr, and the same on stdout", async (level, told) => {
  const bash = use("Bash", { command: "false", description: "fail" });
  const { e8 } = await quickScripted(story(scene("executor", bash, report("worked")), summarizes("worked")));

  const { code, stdout, stderr } = await e8(["run", "x", "--check", "true"], { env: { ENDLESS8_LOG_LEVEL: level } });

  expect(code, stderr).toBe(0);
  expect([NOTE, PROGRESS, CALL].filter((line) => line.test(stderr))).toEqual(told);
  expect(stderr === "").toBe(told.length === 0);
  expect(stdout).toMatch(/^completed: /m);
});

test.each(["error", "info", "debug"])(
  "an error is told at the level %s; where it came from, for debugging",
  async (level) => {
    const { e8 } = await quickScripted(story(scene("executor", fault(401))));

    const { code, stderr } = await e8(["show", "nothing"], { env: { ENDLESS8_LOG_LEVEL: level } });

    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: /);
    expect(/^ {4}at /m.test(stderr)).toBe(level === "debug");
  },
);

test("an unknown level is refused with the choices, but not where only help is asked for", async () => {
  const { e8 } = await quickSandbox();
  const env = { ENDLESS8_LOG_LEVEL: "loud" };

  const [refused, japanese, help] = [
    await e8(["list"], { env }),
    await e8(["list", "--lang", "ja"], { env }),
    await e8(["--help"], { env }),
  ];

  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/ENDLESS8_LOG_LEVEL: "loud" is not possible: .*error.*warning.*info.*debug/);
  expect(japanese.stderr).toMatch(/ENDLESS8_LOG_LEVEL.*"loud".*error.*debug/);
  expect(help.code).toBe(0);
});
