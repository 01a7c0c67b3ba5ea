import { expect, test } from "vitest";
import { loadStory } from "../../../../../src/connection/agents/scripted/model/load-story.ts";
import { E8Error } from "../../../../../src/model/errors.ts";
import { inEnglish } from "../../../../support/saying.ts";

test("a story in YAML and the same in JSON are one story", () => {
  const yaml = `
title: A fix
request_cap: 20
scenes:
  - who: executor
    turns:
      - use: [{ tool: Edit, input: { file_path: a b.txt, old_string: x, new_string: ü } }]
      - fault: { status: 529, retry_after: 0 }
        times: 2
      - answer: { status: done }
        tokens: { input: 5 }
  - when: apples
    repeat: true
    turns: [{ say: "", delay_ms: 5, stop: refusal }]
`;
  const story = loadStory(yaml, "story.yaml");

  expect(story.scenes[0]?.turns[1]).toEqual({ fault: { status: 529, retry_after: 0 }, times: 2 });
  expect(loadStory(JSON.stringify(story), "story.json")).toEqual(story);
});

test("all problems of a story are listed at once, each with its place", () => {
  const error = caught(`
scenes:
  - who: executor
    turns:
      - { say: hello, fault: { status: 200 } }
      - {}
      - { saay: hello }
  - turns: []
  - turns:
      - fault: { kind: late }
      - fault: { kind: stall, status: 500 }
      - fault: { kind: html, retry_after: 1 }
      - fault: { resets_at: 1, resets_in: 1 }
      - use: { tool: Bash }
`);

  expect(error).toBeInstanceOf(E8Error);
  expect(error.code).toBe("story_broken");
  expect(error.hint).toContain("docs/scripted-model.md");
  const places = error.message.split("\n").slice(1);
  expect(places.map((line) => line.trim().replace(/: .*$/, ""))).toEqual([
    "story.yaml:5 scenes[0].turns[0].fault.status",
    "story.yaml:5 scenes[0].turns[0]",
    "story.yaml:6 scenes[0].turns[1]",
    "story.yaml:7 scenes[0].turns[2].saay",
    "story.yaml:7 scenes[0].turns[2]",
    "story.yaml:8 scenes[1].turns",
    "story.yaml:10 scenes[2].turns[0].fault.kind",
    "story.yaml:11 scenes[2].turns[1].fault",
    "story.yaml:12 scenes[2].turns[2].fault",
    "story.yaml:13 scenes[2].turns[3].fault",
    "story.yaml:14 scenes[2].turns[4].use",
  ]);
  expect(error.message).toContain("The story story.yaml cannot be played");
  expect(error.message).toContain("scenes[0].turns[2].saay: unknown key: did you mean say?");
});

test.each([
  ["a scene", "scenes:\n  - whos: executor\n    turns: [{ say: x }]", "story.yaml:2 scenes[0].whos", "who"],
  ["the story", "scens: []\nscenes:\n  - turns: [{ say: x }]", "story.yaml:1 scens", "scenes"],
  [
    "a fault",
    "scenes:\n  - turns:\n      - fault:\n          Statu: 500",
    "story.yaml:4 scenes[0].turns[0].fault.Statu",
    "status",
  ],
  [
    "a tool call",
    "scenes:\n  - turns:\n      - use:\n          - { tol: Bash, tool: Bash, input: {} }",
    "use[0].tol",
    "tool",
  ],
])("an unknown key of %s is told with its line and the nearest known one", (_, yaml, place, known) => {
  expect(caught(yaml).message).toContain(`${place}: unknown key: did you mean ${known}?`);
});

test.each([
  ["a fault beside words", "scenes: [{ turns: [{ say: x, fault: {} }] }]", "a fault stands alone"],
  ["no story at all", "", "the story: "],
  ["a list", "[1]", "the story: "],
  ["broken YAML", "scenes: [", "at line 1"],
  ["a key given twice", "title: a\ntitle: b\nscenes: []", "unique"],
  ["an alias to nothing", "title: *nobody\nscenes: []", "nobody"],
  ["a second document", "title: a\n---\ntitle: b", "documents"],
  ["a bomb of aliases", bomb(), "alias"],
])("%s is refused", (_, yaml, words) => {
  expect(caught(yaml).message).toContain(words);
});

function caught(yaml: string): E8Error {
  try {
    loadStory(yaml, "story.yaml");
  } catch (error) {
    if (error instanceof E8Error) return inEnglish(error);
    throw error;
  }
  throw new Error("the story was taken");
}

function bomb(): string {
  const levels = Array.from({ length: 20 }, (_, n) =>
    `k${n}: &a${n} [${`*a${n - 1}, `.repeat(9)}]`.replaceAll("*a-1", "x"),
  );
  return levels.join("\n");
}
