import { expect, test } from "vitest";
import { drawGraph } from "../../../src/configuration/flow/graph.ts";
import { teller } from "../../../src/texts/tell.ts";
import { definitionOf, edit, fixture, set } from "./support.ts";

test("a flow as text has its steps with kinds, intents, conditions, what is handed on and taken, and its completion", () => {
  expect(drawGraph(definitionOf(fixture("release-checker")), "text", teller("en")).split("\n")).toEqual([
    "→ initial.plan (work) Plan",
    "      hands on summary, risk",
    "      next → verification.tests",
    "      repeat → initial.plan",
    "  verification.tests (verification) Look at the tests",
    "      takes plan from initial.plan.summary",
    "      hands on result",
    "      next [result = pass] → closure.release",
    "      next [result otherwise] → continuation.fix",
    "      repeat → verification.tests",
    "      escalate → initial.plan",
    "  continuation.fix (work) Fix",
    "      takes verdict from verification.tests.result (optional)",
    "      next → verification.tests",
    "  section.context (work) Context",
    "  closure.release (closure) Release",
    "      repeat → continuation.fix",
    "      closing → completion",
    "  completion: composite (externalState and composite (structuredSignal first checkBudget))",
    "      closure.release needs tests-pass, notes-written, notes-read-well (else retry)",
  ]);
});

test("a flow as mermaid has the same, and no name can break out of its label", () => {
  const files = edit(fixture("mini"), "steps_registry.json", (registry) =>
    set(registry, ["steps", "initial.task", "name"], 'a "quoted" name]\n--> x'),
  );

  expect(drawGraph(definitionOf(files), "mermaid", teller("en")).split("\n")).toEqual([
    "flowchart TD",
    '  begin(["mini"]) --> s1',
    '  s1["initial.task<br>a #quot;quoted#quot; name] --> x"]',
    '  s2(["closure.task<br>Close"])',
    '  s1 -->|"next"| s1',
    '  s1 -->|"repeat"| s1',
    '  s1 -->|"handoff"| s2',
    '  s2 -->|"repeat"| s1',
    '  s2 -->|"closing"| done',
    '  done{{"stepMachine<br>closure.task needs git-clean (else retry)"}}',
  ]);
});

test("what a step takes from another is drawn as a dotted line", () => {
  expect(drawGraph(definitionOf(fixture("release-checker")), "mermaid", teller("en"))).toContain(
    's1 -.->|"summary"| s2',
  );
});
