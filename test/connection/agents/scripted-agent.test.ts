import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedAgentOptions } from "../../../src/connection/agents/scripted/conversation.ts";
import { scene, use } from "../../../src/connection/agents/scripted/model/builders.ts";
import type { Turn } from "../../../src/connection/agents/scripted/model/story.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { DONE, play } from "./scripted-play.ts";
import { scriptedAgent } from "./scripted-support.ts";
import { assign, hear, only } from "./support.ts";

describe("the scripted agent really runs", () => {
  test("Bash, with its output and exit code for the model, in the working directory", async () => {
    const { results, reply, read } = await play([
      use("Bash", { command: "echo out; echo err >&2; pwd > where" }),
      use("Bash", { command: "echo no; exit 3" }),
      DONE,
    ]);

    expect(results).toMatchObject([
      { content: "out\nerr", is_error: false },
      { content: "Exit code 3\nno", is_error: true },
      { is_error: false },
    ]);
    expect(await read("where")).not.toBe("");
    expect(reply).toMatchObject({ structured: { status: "done" }, tools_used: ["Bash(echo)"], files_modified: [] });
  });

  test("tools, and tells in its reply what they returned, except that files were written", async () => {
    const long = "seq 5000; echo the end";
    const { reply } = await play([
      use("Bash", { command: "echo no\nexit 3" }),
      use("Write", { file_path: "a.txt", content: "one" }),
      use("Edit", { file_path: "a.txt", old_string: "two", new_string: "2" }),
      use("Read", { file_path: "a.txt" }),
      use("Bash", { command: long }),
      DONE,
    ]);

    const command = { tool: "Bash", is_command: true, ending: "done", is_cut: false };
    const file = { ...command, detail: "a.txt", is_command: false };
    expect(reply.tool_results).toMatchObject([
      { ...command, detail: "echo no\nexit 3", ending: "failed", output: "Exit code 3\nno" },
      { ...file, tool: "Edit", ending: "failed" },
      { ...file, tool: "Read", output: expect.stringContaining("one") },
      { ...command, detail: long, is_cut: true, output: expect.stringMatching(/^[\s\S]{1,4000}5000\nthe end$/) },
    ]);
  });

  test("a command no longer than its time limit", async () => {
    const { results } = await play([use("Bash", { command: "echo begun; sleep 60", timeout: 2000 }), DONE]);

    expect(results[0]).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/timed out after 2000 ms\nbegun/),
    });
  });

  test("the tools that write files, and says which ones were written", async () => {
    const { reply, events, read } = await play([
      use("Write", { file_path: "new/a.txt", content: "one two two" }),
      use("Edit", { file_path: "new/a.txt", old_string: "one", new_string: "$&1" }),
      use("MultiEdit", {
        file_path: "new/a.txt",
        edits: [{ old_string: "two", new_string: "2", replace_all: true }],
      }),
      DONE,
    ]);

    expect(await read("new/a.txt")).toBe("$&1 2 2");
    expect(reply).toMatchObject({ tools_used: ["Write", "Edit", "MultiEdit"], files_modified: ["new/a.txt"] });
    expect(only(events, "tool-call")[0]).toMatchObject({ tool: "Write", detail: "new/a.txt" });
  });

  test("the tools that read", async () => {
    const { results } = await play(
      [
        use("Read", { file_path: "a.txt", offset: 2, limit: 1 }),
        use("Glob", { pattern: "*.txt" }),
        use("Grep", { pattern: "^TWO$", "-i": true }),
        use("Read", { file_path: "missing.txt" }),
        DONE,
      ],
      { allowed_tools: [] },
      { "a.txt": "one\ntwo\nthree\n", "b.md": "two" },
    );

    expect(results).toMatchObject([
      { content: "     2→two" },
      { content: expect.stringMatching(/\/a\.txt$/) },
      { content: expect.stringMatching(/^Found 2 files/) },
      { content: expect.stringContaining("ENOENT"), is_error: true },
      {},
    ]);
  });

  test.each([
    ["a string that is not there", { old_string: "x", new_string: "y" }, /not found in file/],
    ["a string that is there twice", { old_string: "o", new_string: "y" }, /Found 2 matches/],
    ["nothing it can understand", { old: "o" }, /InputValidationError/],
  ])("no edit of %s", async (_, input, problem) => {
    const { results, reply, read } = await play(
      [use("Edit", { file_path: "a.txt", ...input }), DONE],
      {},
      { "a.txt": "foo" },
    );

    expect(results[0]).toMatchObject({ is_error: true, content: expect.stringMatching(problem) });
    expect(reply.files_modified).toEqual([]);
    expect(await read("a.txt")).toBe("foo");
  });

  test("no tool that it does not have", async () => {
    const { results } = await play([use("mcp__db__query", {}), DONE]);

    expect(results[0]).toMatchObject({ is_error: true, content: expect.stringContaining("No such tool available") });
  });
});

describe("a call is denied", () => {
  const write = use("Write", { file_path: "a.txt", content: "x" });
  const bash = (command: string) => use("Bash", { command });

  test.each<[string, Turn, Partial<ScriptedAgentOptions>, boolean]>([
    [
      "not by bypassPermissions",
      bash("touch a.txt"),
      { permission_mode: "bypassPermissions", allowed_tools: [] },
      true,
    ],
    ["by dontAsk, where no rule allows it", write, { allowed_tools: ["Bash"] }, false],
    ["not by dontAsk, where a rule does", write, { allowed_tools: ["Edit(./**)"] }, true],
    ["by a rule for other paths", write, { allowed_tools: ["Edit(./src/**)"] }, false],
    [
      "not by acceptEdits, below the working directory",
      write,
      { permission_mode: "acceptEdits", allowed_tools: [] },
      true,
    ],
    [
      "by acceptEdits, if it is a command",
      bash("touch a.txt"),
      { permission_mode: "acceptEdits", allowed_tools: [] },
      false,
    ],
    ["by plan, whatever the rules say", write, { permission_mode: "plan" }, false],
    ["not by a rule for such a command", bash("touch a.txt"), { allowed_tools: ["Bash(touch:*)"] }, true],
    [
      "by a rule for one command, if it is several",
      bash("touch b; touch a.txt"),
      { allowed_tools: ["Bash(touch:*)"] },
      false,
    ],
  ])("%s", async (_, turn, options, isDone) => {
    const { directory, events, reply } = await play([turn, DONE], options);

    expect(existsSync(join(directory, "a.txt"))).toBe(isDone);
    expect(only(events, "tool-denied")).toHaveLength(isDone ? 0 : 1);
    expect(reply.tools_used).toHaveLength(isDone ? 1 : 0);
  });

  test("on the task's own records, in every mode", async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, ".e8"));
    const turn = use("Write", { file_path: ".e8/history.jsonl", content: "{}" });
    const options = { working_directory: directory, permission_mode: "bypassPermissions" as const };

    const { events } = await play([turn, DONE], options);

    expect(only(events, "tool-denied")).toHaveLength(1);
    expect(existsSync(join(directory, ".e8/history.jsonl"))).toBe(false);
  });

  test("not on the texts that earlier workers handed in, when they are read", async () => {
    const directory = await temporaryDirectory();
    const file_path = ".e8/tasks/2026-01-23T13-30-00/outputs/001.md";
    await mkdir(dirname(join(directory, file_path)), { recursive: true });
    await writeFile(join(directory, file_path), "three papers");
    const turns = [use("Read", { file_path }), use("Write", { file_path, content: "none" }), DONE];

    const { events, results } = await play(turns, { working_directory: directory });

    expect(results[0]).toMatchObject({ content: expect.stringContaining("three papers") });
    expect(only(events, "tool-denied")).toMatchObject([{ tool: "Write" }]);
  });

  test("by the assignment's policy, which sees what the call would do", async () => {
    const directory = await temporaryDirectory();
    const agent = scriptedAgent([scene("executor", write, DONE)], {
      working_directory: directory,
      permission_mode: "bypassPermissions",
    });
    const forbids = ({ writes }: { writes: readonly string[] }) => (writes.includes("a.txt") ? "hands off" : undefined);

    const { events, reply } = await hear(agent, assign({ forbids }));

    expect(only(events, "tool-denied")).toMatchObject([{ tool: "Write", reason: "hands off" }]);
    expect(existsSync(join(directory, "a.txt"))).toBe(false);
    expect(reply.tools_used).toEqual([]);
  });
});
