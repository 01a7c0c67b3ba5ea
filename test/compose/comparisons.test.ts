import { expect, test } from "vitest";
import { contestantIn } from "../../src/compose/comparisons.ts";
import { requireChoice } from "../../src/compose/keeping.ts";

test.each([
  ["claude", { agent: "claude" }],
  ["claude@opus", { agent: "claude", executorModel: "opus" }],
  ["claude@arn:aws:bedrock:x@y", { agent: "claude", executorModel: "arn:aws:bedrock:x@y" }],
  ["claude-next@haiku", { agent: "claude-next", executorModel: "haiku" }],
  ["command:mail me@example.com", { agent: "command:mail me@example.com" }],
  ["scripted:a@b.yaml", { agent: "scripted:a@b.yaml" }],
])("--agent %s", (spelled, flags) => {
  expect(contestantIn(spelled)).toEqual(flags);
});

test.each([["2"], ["codex"], ["none"]])("--keep %s is a choice", (keep) => {
  expect(() => requireChoice(["claude", "codex"], keep)).not.toThrow();
});

test.each([
  ["3", ["claude", "codex"], 0],
  ["gemini", ["claude", "codex"], 0],
  ["claude", ["claude", "claude"], 2],
])("--keep %s among %j fits %i runs and is refused", (choice, agents, found) => {
  expect(() => requireChoice(agents, choice)).toThrow(
    expect.objectContaining({ code: "comparison_choice", details: expect.objectContaining({ found }) }),
  );
});
