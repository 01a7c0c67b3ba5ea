import { expect, test } from "vitest";
import { problemReport } from "../../src/cli/render/problem-report.ts";
import type { DefinitionProblem } from "../../src/model/flow/problem.ts";
import { severityOf } from "../../src/model/flow/problem.ts";
import { en } from "../../src/texts/en/catalogue.ts";
import { ja } from "../../src/texts/ja/catalogue.ts";

function problem<C extends DefinitionProblem["code"]>(
  code: C,
  place: [file: string, line: number, path?: string],
  params: DefinitionProblem<C>["params"],
): DefinitionProblem {
  const [file, line, path = ""] = place;
  return { code, severity: severityOf(code), file, line, path, params } as DefinitionProblem;
}

const undeclared = (line: number, name: string) => problem("VARIABLE_UNDECLARED", ["a.md", line], { name });
const plain = (_: unknown, text: string) => text;

test("many problems of one kind are one group: the reason and the cure once, then the places", () => {
  expect(problemReport([undeclared(3, "issue"), undeclared(9, "plan"), undeclared(12, "diff")], en, plain)).toEqual([
    "  warning VARIABLE_UNDECLARED (3)",
    "    why it matters: It is filled in, but readers of the registry do not see it.",
    "    how to fix it: Add it to uvVariables.",
    "      a.md:3  {uv-issue} is not among the step's uvVariables.",
    "      a.md:9  {uv-plan} is not among the step's uvVariables.",
    "      a.md:12  {uv-diff} is not among the step's uvVariables.",
  ]);
});

test("a single problem says where, what, why and how to mend it", () => {
  const unknown = problem("AGENT_UNKNOWN_KEY", ["agent.json", 4, "nam"], { key: "nam", known: [], nearest: "name" });

  expect(problemReport([unknown], en, plain)).toEqual([
    "  error AGENT_UNKNOWN_KEY  agent.json:4  nam",
    "    Unknown key nam.",
    "    why it matters: An unknown key has no effect, and a misspelled one would go unnoticed.",
    "    how to fix it: Did you mean name?",
  ]);
});

test("errors come before warnings, kinds in the order of their first place", () => {
  const found = [
    undeclared(1, "a"),
    problem("PROMPT_EMPTY", ["b.md", 1], {}),
    problem("TRANSITION_SHAPE", ["r.json", 2, "steps.a"], {}),
    undeclared(2, "b"),
    problem("PROMPT_EMPTY", ["c.md", 1], {}),
  ];

  const heads = problemReport(found, en, plain).filter((line) => /^ {2}\S/.test(line));

  expect(heads).toEqual([
    "  error PROMPT_EMPTY (2)",
    "  error TRANSITION_SHAPE  r.json:2  steps.a",
    "  warning VARIABLE_UNDECLARED (2)",
  ]);
});

test("a sentence that all places share is said once; a cure of its own stands below its place", () => {
  const target = (path: string, nearest: string | undefined) =>
    problem("TRANSITION_TARGET_UNKNOWN", ["r.json", 7, path], { target: path, nearest });
  const found = [
    problem("PROMPT_EMPTY", ["b.md", 1], {}),
    problem("PROMPT_EMPTY", ["c.md", 1], {}),
    target("x", "y"),
    target("u", undefined),
  ];

  expect(problemReport(found, en, plain)).toEqual([
    "  error PROMPT_EMPTY (2)",
    "    The prompt is empty.",
    "    why it matters: The step would be asked to do nothing.",
    "    how to fix it: Write what the step has to do.",
    "      b.md:1",
    "      c.md:1",
    "  error TRANSITION_TARGET_UNKNOWN (2)",
    "    why it matters: The run would stop here.",
    '      r.json:7  x  There is no step "x".',
    "        how to fix it: Did you mean y?",
    '      r.json:7  u  There is no step "u".',
    "        how to fix it: Add the step, or correct the target.",
  ]);
});

test("reasons that differ stand above their places, below the cure that they share", () => {
  const idle = (key: string, reason: "graph_decides" | "kind_decides") =>
    problem("AGENT_KEY_WITHOUT_EFFECT", ["r.json", 1, key], { key, reason });

  expect(problemReport([idle("priority", "graph_decides"), idle("type", "kind_decides")], en, plain)).toEqual([
    "  warning AGENT_KEY_WITHOUT_EFFECT (2)",
    "    how to fix it: Leave it for other programs, or remove it.",
    "    why it matters: The transitions alone decide which step comes next.",
    "      r.json:1  priority  priority has no effect here.",
    "    why it matters: stepKind says what a step is.",
    "      r.json:1  type  type has no effect here.",
  ]);
});

test("the same in Japanese", () => {
  expect(problemReport([undeclared(3, "issue"), undeclared(9, "plan")], ja, plain)).toEqual([
    "  警告 VARIABLE_UNDECLARED (2)",
    "    なぜ問題か: 値は入りますが、registry を読む人にはわかりません。",
    "    直し方: uvVariables に追加してください。",
    "      a.md:3  {uv-issue} がステップの uvVariables にありません。",
    "      a.md:9  {uv-plan} がステップの uvVariables にありません。",
  ]);
});
