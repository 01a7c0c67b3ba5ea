import { expect, test } from "vitest";
import { story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import { sandbox } from "../support/sandbox.ts";
import { accepts, judges, summarizes, works } from "../support/stories.ts";

/** As in a user's shell: Claude Code is not told to save requests. What it sends elsewhere ends at a port where nobody listens. */
const REAL = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: undefined,
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1",
};

test("in a user's own environment the model gets the requests of the roles and no others, such as for a session's title", async () => {
  const { e8, model } = await sandbox(
    story(
      accepts("a.txt is there"),
      works("looked around", use("Bash", { command: "ls", description: "look around" })),
      summarizes("looked around"),
      judges(false, [{ id: 1, is_met: false }]),
      works("wrote it", use("Write", { file_path: "a.txt", content: "a" })),
      summarizes("wrote a.txt"),
      judges(true, [{ id: 1, is_met: true }]),
    ),
  );

  const ended = await e8(["run", "Write a.txt", "-c", "a.txt is there"], { env: REAL });

  expect(ended.code, ended.stderr).toBe(0);
  const iteration = ["executor", "executor", "summarizer", "judge"];
  expect(model.requests.map(({ who }) => who)).toEqual(["intake", ...iteration, ...iteration]);
  expect(model.unmatched).toBe(0);
});
