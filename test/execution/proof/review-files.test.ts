import { describe, expect, test } from "vitest";
import type { ProofScene } from "../../support/fakes.ts";
import { type GoalOptions, recorded } from "../../support/run-goal.ts";
import { judged, reviewed } from "../../support/scripted-agent.ts";
import { run, WORK } from "./review-support.ts";

describe("a changed test", () => {
  const proof: ProofScene = {
    changes: [{ path: "test/a.test.js", status: "deleted", added: 0, removed: 1 }],
    diffs: {
      "test/a.test.js":
        "diff --git a/test/a.test.js b/test/a.test.js\ndeleted file mode 100644\n--- a/test/a.test.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-expect(old()).toBe(1);\n",
    },
    paths: ["test/a.test.js"],
  };
  const demanded = {
    file: "test/a.test.js",
    line: 1,
    quote: "expect(old()).toBe(1);",
    is_demanded: true,
    demand: "Remove old()",
  };
  const task = "Remove old() and its tests";

  test("is accepted if the reviewer finds that the task demands it", async () => {
    const { result, agent } = await run({
      task,
      proof,
      script: { reviewer: [reviewed({ protected_files: [demanded] })] },
    });
    expect(agent.prompts("reviewer")[0]).toContain("D test/a.test.js +0 -1   PROTECTED: a test");
    expect(result).toMatchObject({ status: "completed", proof: { protected_changes: [{ path: "test/a.test.js" }] } });
  });

  test("may be quoted by what git says about the file, or as a diff names it", async () => {
    const said = { ...demanded, file: "a/test/a.test.js", line: 0, quote: "deleted file mode 100644" };
    expect(
      (await run({ task, proof, script: { reviewer: [reviewed({ protected_files: [said] })] } })).result.status,
    ).toBe("completed");
  });

  test.each([
    ["the task does not demand it", { is_demanded: false }, "review_undemanded"],
    ["the demand is invented", { demand: "Delete everything" }, "review_undemanded"],
    ["the quotation is invented", { quote: "expect(new()).toBe(2);" }, "review_undemanded"],
  ])("is refused if %s", async (_, other, code) => {
    const { records } = await run({
      task,
      proof,
      script: { reviewer: [reviewed({ protected_files: [{ ...demanded, ...other }] })] },
    });
    expect(recorded(records, "proof")[0]).toMatchObject({ holds: false, reasons: [{ code }] });
  });

  test("is put back for the checks with protect: restore", async () => {
    const { result, agent } = await run({ task, proof, settings: { protect: ["restore"] } });
    expect(result.status).toBe("completed");
    expect(agent.asked("reviewer")).toHaveLength(1);
  });
});

describe("a sentence criterion of work that changes no file", () => {
  const poem = "# Poem\n\nRoses are red,\nand so is my head.\n";
  const proof: ProofScene = {
    paths: ["src/deep/other.js", "README.md", "docs/poem.md"],
    texts: { "docs/poem.md": poem, "README.md": "Read me\n", "src/deep/other.js": "other();\n" },
  };
  const criteria = ["The poem in poem.md rhymes"];
  const met = { id: 1, is_met: true, file: "docs/poem.md", line: 4, quote: "and so is my head.", explanation: "" };

  test("is met by a line that stood there before; the files that the user names are shown first", async () => {
    const { result, agent } = await run({ criteria, proof, script: { reviewer: [reviewed({ criteria: [met] })] } });

    const [prompt = ""] = agent.prompts("reviewer");
    expect(prompt).toContain("No file has changed.");
    expect(prompt).toContain(">     4 | and so is my head.");
    const headings = ["## docs/poem.md", "## README.md", "## src/deep/other.js"];
    expect(prompt.split("\n").filter((line) => line.startsWith("## "))).toEqual(headings);
    expect(result).toMatchObject({ status: "completed", proof: { review: { is_untouched: true } } });
  });

  test.each([
    ["the reviewer finds it unmet", { is_met: false }, "review_unmet"],
    ["its quotation stands in no file", { quote: "Violets are blue," }, "review_unquoted"],
  ])("is not met where %s, and the next worker reads that the result belongs in a file", async (_, other, code) => {
    const script = { reviewer: [reviewed({ criteria: [{ ...met, ...other }] })] };
    const { result, agent, records } = await run({ criteria, proof, script });

    expect(result.status).toBe("max_iterations");
    const codes = recorded(records, "proof")[0]?.reasons.map((reason) => reason.code);
    expect(codes).toEqual([code, "review_wants_file"]);
    expect(agent.prompts("executor")[1]).toContain("Write the result that a criterion asks for to a file");
  });

  test("is left to the judges where the user's words ask for a text, and the report says so", async () => {
    const text = { id: 1, is_met: false, asks_text: "Explain  how" };
    const script = { reviewer: [reviewed({ criteria: [text] })] };
    const { result } = await run({ task: "Explain how it works", criteria, proof, script });

    expect(result).toMatchObject({ status: "completed", proof: { weaker: [{ code: "review_text_unread" }] } });
  });

  test.each([
    ["the words are not the user's", { asks_text: "Write a poem" }, proof],
    ["files have changed", { asks_text: "Make it work" }, WORK],
  ])("is not left to the judges where %s", async (_, other, scene) => {
    const script = { reviewer: [reviewed({ criteria: [{ id: 1, is_met: false, ...other }] })] };
    const { result } = await run({ criteria, proof: scene, script });

    expect(result.status).toBe("max_iterations");
  });

  test("is left to the judges without a reviewer", async () => {
    const { result } = await run({ criteria, proof, settings: { review: false } });
    expect(result).toMatchObject({ status: "completed", proof: { review: { missing: { code: "review_off" } } } });
  });

  test("is reviewed where the task's own text became the criterion, because all checks passed before", async () => {
    const script = {
      judge: [judged([true, true])],
      reviewer: [reviewed({ criteria: [{ ...met, id: 2 }] })],
    };
    const { result, agent } = await run({ proof, checks: () => 0, hasModel: true, script });
    expect(agent.asked("reviewer")).toHaveLength(1);
    expect(result).toMatchObject({ status: "completed", iterations_used: 1 });
  });

  test("a long project is shown as far as it fits", async () => {
    const long = "a line of a long file\n".repeat(30_000);
    const paths = Array.from({ length: 500 }, (_, index) => `src/${index}.js`);
    const files = { paths: [...paths, "docs/poem.md"], texts: { "docs/poem.md": poem, "src/0.js": long } };
    const { agent } = await run({ criteria, proof: files, script: { reviewer: [reviewed({ criteria: [met] })] } });

    const [prompt = ""] = agent.prompts("reviewer");
    expect(prompt).toContain("(499 more files)");
    expect(prompt.length).toBeLessThan(250_000);
  });
});

describe("files that git ignores", () => {
  const proof: ProofScene = { ...WORK, ignored: [{ path: "dist/ok", status: "added" }] };
  const settings = { if_green: "work" as const };
  /** In the clean checkout, the check fails without the files and passes with them. */
  const checking = (): NonNullable<GoalOptions["checks"]> => {
    let runs = 0;
    return ({ place }) => (place ? ++runs % 2 : 0);
  };
  const build = { is_build: true, file: "dist/ok", line: 1, quote: "the content of dist/ok", explanation: "" };

  test("are shown, and a build is forgiven", async () => {
    const { result, agent } = await run({
      checks: checking(),
      proof,
      settings,
      script: { reviewer: [reviewed({ ignored_files: build })] },
    });
    expect(agent.prompts("reviewer")[0]).toContain(">     1 | the content of dist/ok");
    expect(result).toMatchObject({ status: "completed", proof: { method: "in-place", made_since: ["dist/ok"] } });
  });

  test("a stamp is not", async () => {
    const stamp = { ...build, is_build: false, explanation: "nothing makes it" };
    const { result, records } = await run({
      checks: checking(),
      proof,
      settings,
      script: { reviewer: [reviewed({ ignored_files: stamp })] },
    });
    expect(result.status).toBe("max_iterations");
    expect(recorded(records, "proof")[0]?.reasons).toMatchObject([
      { code: "proof_checks_failed" },
      { code: "review_stamp", params: { files: "dist/ok", explanation: "nothing makes it" } },
    ]);
  });
});

describe("a long diff", () => {
  const generated = (count: number): ProofScene => {
    const lines = Array.from({ length: count }, (_, index) => `+line ${index} of a generated file`).join("\n");
    const diff = `diff --git a/gen.js b/gen.js\nnew file mode 100644\n--- /dev/null\n+++ b/gen.js\n@@ -0,0 +1,${count} @@\n${lines}\n`;
    return {
      changes: [{ path: "gen.js", status: "added", added: count, removed: 0 }, ...(WORK.changes ?? [])],
      diffs: { ...WORK.diffs, "gen.js": diff },
      texts: WORK.texts ?? {},
    };
  };
  const last = { file: "gen.js", line: 7_500, quote: "line 7499 of a generated file", explanation: "made up" };

  test("is reviewed in parts, and a finding in the last one counts", async () => {
    const found = reviewed({ findings: [{ kind: "not_computed", ...last }] });
    const script = { reviewer: [reviewed(), found] };
    const { result, agent } = await run({ proof: generated(7_500), script, settings: { max_iterations: 1 } });

    const [first = "", second = ""] = agent.prompts("reviewer");
    expect(first).toContain("Part 1 of 2");
    expect(first).toContain("if (a === 1) return 3;");
    expect(second).toContain("Part 2 of 2");
    expect(second).toContain("## gen.js");
    expect(second).toContain("7500 | line 7499 of a generated file");
    expect(result.status).toBe("max_iterations");
  });

  test("meets a criterion that one of its parts shows", async () => {
    const unmet = { id: 1, is_met: false, file: "", line: 0, quote: "", explanation: "not in this part" };
    const script = {
      judge: [judged([true]), judged([true])],
      reviewer: [reviewed({ criteria: [unmet] }), reviewed({ criteria: [{ id: 1, is_met: true, ...last }] })],
    };
    const { result } = await run({ criteria: ["It is generated"], proof: generated(7_500), script });
    expect(result).toMatchObject({ status: "completed", proof: { review: { cut_files: [] } } });
  });

  test("that needs too many parts is named there and in the record, and does not refuse the work", async () => {
    const { result, agent } = await run({ proof: generated(60_000) });

    const prompts = agent.prompts("reviewer");
    expect(prompts).toHaveLength(8);
    for (const prompt of prompts) {
      expect(prompt).toContain("Not shown, or not in full: gen.js");
      expect(prompt.length).toBeLessThan(250_000);
    }
    expect(result).toMatchObject({ status: "completed", proof: { review: { cut_files: ["gen.js"] } } });
  });

  test("of one line is shown whole", async () => {
    const line = `${" ".repeat(30_000)}if (hidden) return 3;`;
    const diff = `diff --git a/l.js b/l.js\n--- a/l.js\n+++ b/l.js\n@@ -0,0 +1,1 @@\n+${line}\n`;
    const changes = [{ path: "l.js", status: "added" as const, added: 1, removed: 0 }];
    const { agent } = await run({ proof: { changes, diffs: { "l.js": diff } } });
    expect(agent.prompts("reviewer")[0]).toContain("if (hidden) return 3;");
  });
});
