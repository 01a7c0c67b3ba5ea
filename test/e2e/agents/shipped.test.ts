import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadStory } from "../../../src/connection/agents/scripted/model/load-story.ts";
import { commitAll, install, judgments, promptsOf, SHIPPED_FOLDERS, summaries } from "../../support/agents.ts";
import { quickScripted } from "../../support/in-process.ts";
import { resultOf, type Sandbox, sandbox } from "../../support/sandbox.ts";
import { saying } from "../../support/saying.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SHIPPED = SHIPPED_FOLDERS.flatMap((from) => readdirSync(join(ROOT, from)).map((name) => ({ from, name })));
const EXAMPLES = SHIPPED.filter(({ from }) => from === "examples/agents");

/** What the agents' own stories need besides: an issue to work on. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  "issue-worker": ["--issue", "7"],
  "issue-fixer": ["--issue", "7"],
};

/** Those that are complete when their budget is used up. */
const BUDGETS = ["translator", "link-checker"];

/** Those whose tools and policies the real Claude Code is asked to use; the others play their stories in process. */
const REAL = ["issue-fixer", "release-gate"];

/** What there is to see once each has run to its end. */
const PROOFS: Readonly<Record<string, (box: Sandbox) => Promise<void>>> = {
  "single-step": async ({ read }) => expect(await read("NOTES.md")).toMatch(/A small project\.|小さなプロジェクト。/),
  "plan-implement-verify-close": async (box) => {
    const [prompt] = await promptsOf(box, "continuation.implement");
    expect(prompt).toMatch(/Titles that are not ASCII|ASCII でない題名/);
    expect(prompt).toMatch(/Findings of the last review: none yet|前回のレビューの指摘：まだなし/);
  },
  "issue-worker": async ({ read }) => expect(await read(".e8/issues/7.md")).toContain("state: CLOSED"),
  "changelog-writer": async (box) => {
    expect(await box.read("CHANGELOG.md")).toMatch(/^## \[Unreleased\]/);
    const [first] = await box.asked("continuation.write");
    expect(first?.model).toContain("haiku");
    expect(first?.text).toContain("Greet the world");
  },
  "issue-fixer": async (box) => {
    expect(await box.read(".e8/issues/7.md")).toMatch(/labels:\s+- ready\s+- fixed\s+state: CLOSED/);
    expect((await judgments(box)).map(({ flow }) => flow?.attempts["closure.issue"] ?? 0)).toEqual([0, 0, 1, 1, 1]);
  },
  translator: async (box) => expect(await summaries(box)).toHaveLength(3),
  "link-checker": async (box) => expect(await summaries(box)).toHaveLength(2),
  "log-triager": async (box) => expect((await judgments(box)).at(-1)?.reasons).toEqual([saying("ALL-GROUPS-OWNED")]),
  "release-gate": async (box) => {
    expect((await summaries(box))[1]?.metadata.tools_denied?.[0]).toMatch(/^Write: /);
    expect((await promptsOf(box, "initial.prepare"))[0]).toContain("any value");
    expect((await judgments(box)).map(({ flow }) => flow?.intent)).toEqual(["next", "jump", "next", "next", "closing"]);
  },
  "docs-reviewer": async (box) => {
    const [first] = await judgments(box);
    expect(first?.flow).toMatchObject({ intent: "repeat", deviations: [saying("no intent")] });
    expect(await box.read("REVIEW.md")).toContain("# README.md");
  },
  "test-writer": async ({ read }) => expect(await read("all.test.mjs")).toContain("two is two"),
  "readme-writer": async (box) => {
    expect(await box.read("README.md")).toContain("## Install");
    const met = (await judgments(box)).map(({ evaluations }) => evaluations.map(({ is_met }) => is_met));
    expect(met).toEqual([
      [true, false],
      [true, true],
    ]);
  },
};

describe.for(SHIPPED)("$from/$name", ({ from, name }) => {
  test("is valid and runs to its end by its own story", async () => {
    const story = join(ROOT, from, name, "story.yaml");
    const open = REAL.includes(name) ? sandbox : quickScripted;
    const box = await open(loadStory(await readFile(story, "utf8"), story));
    delete box.env.ENDLESS8_PROOF; // as users run them
    await install(box, from, name);
    await commitAll(box);
    await box.write(".e8/issues/7.md", "---\ntitle: The greeting is rude\nlabels: [bug, ready]\n---\nIt shouts.\n");

    const validated = await box.e8(["agent", "validate", name, "--json"]);
    expect(JSON.parse(validated.stdout)).toMatchObject([{ name, valid: true, problems: [] }]);
    expect(validated.code).toBe(0);

    const ended = await box.e8(["agent", "run", name, "--json", ...(ARGUMENTS[name] ?? [])], {
      stdin: "The night is long.\n",
    });

    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    const stop_reason = BUDGETS.includes(name) ? "flow_budget" : "criteria_met";
    expect(resultOf(ended)).toMatchObject({ status: "completed", stop_reason, error_code: null });
    expect(box.model.unmatched).toBe(0);
    expect(await box.asked()).not.toEqual([]);
    expect(JSON.stringify(await box.asked())).not.toContain("{uv-");
    await PROOFS[name]?.(box);
  });
});

test.for(EXAMPLES)("the README of $name names its completion and how to run it", async ({ from, name }) => {
  const readme = await readFile(join(ROOT, from, name, "README.md"), "utf8");

  expect(readme).toMatch(/^# \S+: completion by /);
  expect(readme).toContain(`e8 agent run ${name}`);
});

test("there is an example for every completion type", async () => {
  const files = EXAMPLES.map(({ from, name }) => readFile(join(ROOT, from, name, "agent.json"), "utf8"));
  const types = (await Promise.all(files)).map((text) => {
    const { runner } = JSON.parse(text) as { runner: Record<string, { type: string }> };
    return (runner.completion ?? runner.verdict)?.type;
  });

  expect(types.sort()).toEqual([
    "composite",
    "count:check",
    "criteria",
    "custom",
    "detect:keyword",
    "detect:structured",
    "externalState",
    "iterationBudget",
    "stepMachine",
  ]);
  expect(Object.keys(PROOFS).sort()).toEqual([...new Set(SHIPPED.map(({ name }) => name))].sort());
});
