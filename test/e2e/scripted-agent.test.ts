import { expect, test } from "vitest";
import { stringify } from "yaml";
import { answer, scene, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { says, writeAgent } from "../support/agents.ts";
import { quickSandbox } from "../support/in-process.ts";
import { resultOf } from "../support/sandbox.ts";
import { judges, summarizes, works } from "../support/stories.ts";

const GREETING = "The greeting is friendly";
const write = use("Write", { file_path: "greeting.txt", content: "Hello!\n" });
const STORY = story(
  works("Wrote it.", write),
  summarizes("Wrote greeting.txt."),
  judges(true, [{ id: 1, criterion: GREETING, is_met: true }]),
);

test("a story is played from end to end in all roles, without Claude Code", async () => {
  const box = await quickSandbox();
  await box.write("story.yaml", stringify(STORY));

  const run = ["run", "Greet", "-c", GREETING, "--no-intake", "--agent", "scripted:story.yaml", "--json"];
  const ended = await box.e8(run, { env: { PATH: process.env.PATH } });

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: 1 });
  expect(await box.read("greeting.txt")).toBe("Hello!\n");
  expect(ended.stderr).toMatch(/The agent is scripted: .* comes from .*story\.yaml/);
  expect(box.model.requests).toEqual([]);
});

test.each([
  ["is not there", undefined, /story\.yaml does not exist/],
  ["cannot be read", "scenes: 3\n", /story\.yaml/],
])("a story that %s ends the run before it begins", async (_, text, problem) => {
  const box = await quickSandbox();
  if (text) await box.write("story.yaml", text);
  await box.write("task.yaml", "task: x\ncriteria: [y]\nagent: { scripted: story.yaml }\n");

  const ended = await box.e8(["run", "--config", "task.yaml"]);

  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(problem);
  expect(await box.tasks()).toEqual([]);
});

test("an agent that does not exist is refused", async () => {
  const { e8 } = await quickSandbox();

  const ended = await e8(["run", "x", "--check", "true", "--agent", "codex"]);

  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("--agent");
});

test("--agent command:<program> is --agent-command", async () => {
  const box = await quickSandbox();

  const ended = await box.e8(["run", "x", "--check", "test -f done", "--agent", "command:touch done; echo a:b"]);

  expect(ended.code, ended.stderr).toBe(0);
});

test("a flow is played step by step, and its boundaries hold", async () => {
  const box = await quickSandbox();
  await writeAgent(box, {
    steps: [
      { id: "initial.task", go: { next: "closure.task" } },
      { id: "closure.task", go: { closing: null } },
    ],
  });
  const closes = use("Bash", { command: "gh issue close 1; touch closed" });
  const played = story(
    scene("initial.task", write, closes, answer(says("next"))),
    scene("closure.task", answer(says("closing"))),
  );
  await box.write("story.yaml", stringify(played));

  const ended = await box.e8(["agent", "run", "small", "--agent", "scripted:story.yaml", "--json", "--verbose"]);

  expect(ended.code, ended.stderr).toBe(0);
  expect(resultOf(ended)).toMatchObject({ status: "completed" });
  expect(await box.read("greeting.txt")).toBe("Hello!\n");
  await expect(box.read("closed")).rejects.toThrow();
  expect(ended.stderr).toContain("not allowed: Bash");
});
