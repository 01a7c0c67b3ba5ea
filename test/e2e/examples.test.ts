import { readdirSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadStory } from "../../src/connection/agents/scripted/model/load-story.ts";
import { quickScripted } from "../support/in-process.ts";
import { resultOf, type Sandbox, sandbox } from "../support/sandbox.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/tasks/", import.meta.url));
const SCHEMA = new URL("../../schemas/task.schema.json", import.meta.url);
const NAMES = readdirSync(EXAMPLES).flatMap((name) => /^(.*)\.yaml$/.exec(name)?.[1] ?? []);

/** How many iterations each story takes, and what there is to see afterwards. */
const PROOFS: Readonly<Record<string, { iterations: number; see: (box: Sandbox) => Promise<void> }>> = {
  coverage: { iterations: 1, see: async ({ read }) => expect(await read("slug.test.mjs")).toContain("732b") },
  "bug-fix": {
    iterations: 2,
    see: async (box) => expect((await promptsOf(box))[1]).toContain("so is the night of the change back"),
  },
  refactoring: { iterations: 1, see: async ({ read }) => expect(await read("report.mjs")).toContain("function euros") },
  "research-ja": {
    iterations: 1,
    see: async ({ read, tasks }) =>
      expect(await read(`.e8/tasks/${(await tasks())[0]}/output.md`)).toContain("推測: 返事が早ければ"),
  },
  docs: { iterations: 1, see: async ({ read }) => expect(await read("README.md")).toContain("RangeError") },
  migration: {
    iterations: 1,
    see: async ({ read }) => expect(await read(".e8/knowledge.jsonl")).toContain("becomes export const"),
  },
  "quality-gate": {
    iterations: 2,
    see: async (box) => {
      expect((await promptsOf(box))[1]).toContain("prices that the visible tests do not show");
      expect((await promptsOf(box)).join()).not.toContain("2,500.10");
    },
  },
  "performance-budget": {
    iterations: 1,
    see: async ({ read }) => expect(await read("paths.mjs")).toContain("Row by row"),
  },
  "dependency-update": {
    iterations: 1,
    see: async ({ read }) => expect(await read("package.json")).toContain("padding-2"),
  },
  "release-notes": {
    iterations: 1,
    see: async ({ asked, read }) => {
      expect(await read("RELEASES.md")).toContain("## 2.1.0");
      const opus = { model: expect.stringContaining("opus") };
      expect(await asked("judge")).toMatchObject([opus, opus]);
    },
  },
};

/** These take the real Claude Code; the others play their stories in process. */
const REAL = ["bug-fix", "quality-gate"];

test("there is an example of every kind that the README lists", async () => {
  const listed = [...(await readFile(join(EXAMPLES, "README.md"), "utf8")).matchAll(/\]\((\S+)\.yaml\)/g)];

  expect(NAMES.length).toBe(10);
  expect(listed.map(([, name]) => name).sort()).toEqual([...NAMES].sort());
});

describe.for(NAMES)("examples/tasks/%s.yaml", (name) => {
  test("loads, fits the schema and runs to completion by its story", async () => {
    const [config, story] = [join(EXAMPLES, `${name}.yaml`), join(EXAMPLES, "stories", `${name}.yaml`)];
    const open = REAL.includes(name) ? sandbox : quickScripted;
    const box = await open(loadStory(await readFile(story, "utf8"), story));
    delete box.env.ENDLESS8_PROOF; // as users run them
    await cp(join(EXAMPLES, "projects", name), box.project, { recursive: true });

    const dryRun = await box.e8(["run", "--config", config, "--dry-run"]);
    expect(dryRun.code, dryRun.stderr).toBe(0);
    expect(await schemaErrors(config)).toBeNull();

    const ended = await box.e8(["run", "--config", config, "--json"]);

    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    expect(resultOf(ended)).toMatchObject({ status: "completed", iterations_used: PROOFS[name]?.iterations });
    expect(box.model.unmatched).toBe(0);
    expect(resultOf(ended).proof?.review?.reviews ?? []).toHaveLength(1);
    await PROOFS[name]?.see(box);
  });
});

async function schemaErrors(config: string): Promise<unknown> {
  const isTask = new Ajv({ formats: { uri: true } }).compile(JSON.parse(await readFile(SCHEMA, "utf8")));
  isTask(parse(await readFile(config, "utf8")));
  return isTask.errors ?? null;
}

/** What the executor was given at the beginning of each iteration. */
async function promptsOf({ asked }: Sandbox): Promise<string[]> {
  return (await asked("executor")).map(({ text }) => text);
}
