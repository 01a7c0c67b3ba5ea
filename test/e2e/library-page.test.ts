import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Story } from "../../src/connection/agents/scripted/model/story.ts";
import * as library from "../../src/index.ts";
import { LoopStatus } from "../../src/model/records.ts";
import { sandbox, scriptedSandbox } from "../support/sandbox.ts";
import { accepts, judges, summarizes, works } from "../support/stories.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGE = readFileSync(new URL("docs/library.md", ROOT), "utf8");
const PROGRAMS = readdirSync(new URL("examples/library/", ROOT));
const LOADER = new URL("test/support/typescript-register.mjs", ROOT).href;

test.each(PROGRAMS)("the page shows examples/library/%s as it is", async (name) => {
  const program = await readFile(new URL(`examples/library/${name}`, ROOT), "utf8");

  expect(blocks()).toContain(program);
});

test("the page has four programs, and every block of code on it is one that is run here", () => {
  expect(PROGRAMS.filter((name) => name.endsWith(".ts"))).toHaveLength(4);
  expect(blocks()).toHaveLength(PROGRAMS.length);
});

test("the page names everything that is exported and every status", () => {
  for (const name of [...Object.keys(library), ...LoopStatus.options]) expect(PAGE, name).toMatch(`\`${name}`);
});

test("a program runs a task and gets the evidence; the library itself prints nothing", async () => {
  const ended = await runProgram(
    "run-a-task.ts",
    story(
      accepts("The greeting is friendly"),
      works("Wrote it.", use("Write", { file_path: "greeting.txt", content: "Good morning!\n" })),
      summarizes("greeting.txt says Good morning!"),
      judges(true, [{ id: 1, is_met: true, evidence: "It says Good morning!" }]),
    ),
  );

  expect(ended.lines).toEqual([
    "completed after 1 iteration(s)",
    "met: The greeting is friendly - It says Good morning!",
    expect.stringMatching(/^met: .*test -s greeting\.txt.* - /),
  ]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

test("a program watches the events of a run", async () => {
  const ended = await runProgram(
    "watch-events.ts",
    story(
      works("Thought about it."),
      summarizes("nothing was written"),
      works("Wrote it.", use("Write", { file_path: "NOTES.md", content: "one\ntwo\nthree\n" })),
      summarizes("NOTES.md has three lines"),
    ),
  );

  expect(ended.lines).toEqual([
    "iteration 1 of 10",
    "  check failed",
    "iteration 2 of 10",
    expect.stringMatching(/^ {2}uses Write: .*NOTES\.md/),
    "  check passed",
    "completed",
  ]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

test("a program of one's own does the work, and no model is asked", async () => {
  const ended = await runProgram("own-agent.ts");

  expect(ended.lines).toEqual(["completed after 2 iterations, for 0 dollars"]);
  expect(ended).toMatchObject({ code: 0, stderr: "", requests: 0 });
});

test("a program reads the history of a run, and adds to and asks what is known", async () => {
  const ended = await runProgram("history-and-knowledge.ts");

  expect(ended.lines).toEqual([
    "the next worker would be told of iteration 2 of 2",
    "known (high): The tests need a database",
    "changed: answer.txt added",
  ]);
  expect(ended).toMatchObject({ code: 0, stderr: "", requests: 0 });
});

/** The code on the page. */
function blocks(): string[] {
  return [...PAGE.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? "");
}

async function runProgram(name: string, played?: Story) {
  const { project, env, model } = await (played ? scriptedSandbox(played) : sandbox());
  const program = fileURLToPath(new URL(`examples/library/${name}`, ROOT));
  const child = spawn(process.execPath, ["--import", LOADER, program], { cwd: project, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { lines: stdout.trimEnd().split("\n"), stderr, code, requests: model.requests.length };
}
