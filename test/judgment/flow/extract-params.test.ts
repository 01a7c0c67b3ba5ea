import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extractFileParams, extractParams } from "../../../src/judgment/flow/extract-params.ts";
import { parserNames } from "../../../src/model/flow/variables.ts";

const read = (parser: string, stdout: string, stderr = "", exit_code = 1) =>
  extractParams({ x: parser }, { exit_code, stdout, output_tail: stdout + stderr }).x;

test("every known parser reads every output or a file that was looked for, and an unknown one gives nothing", () => {
  const readFile = (name: string) => extractFileParams({ x: name }, { path: "a", isThere: false }).x;
  for (const name of parserNames) expect(read(name, "any\n\ntext 'é") ?? readFile(name)).toBeDefined();
  expect(extractParams({ x: "parseNonsense", y: "toString" }, { exit_code: 0, output_tail: "" })).toEqual({});
});

test("of a file: the path, and whether it is missing", () => {
  const wanted = { path: "expectedPath", missing: "missingPaths", output: "stdout" };
  expect(extractFileParams(wanted, { path: "a b", isThere: true })).toEqual({ path: "a b", missing: [] });
  expect(extractFileParams(wanted, { path: "a b", isThere: false })).toEqual({ path: "a b", missing: ["a b"] });
});

describe("git status", () => {
  const status = [
    "## main...origin/main [ahead 1]",
    " M src/a.ts",
    "M  staged.ts",
    "MM both.ts",
    "?? new file.txt",
    "R  old.ts -> new.ts",
    'R  "a \\"q\\".ts" -> "\\303\\244 b.ts"',
    '?? "tab\\there.md"',
    " D gone -> kept.ts",
  ].join("\n");

  test("changed files are all of them, renamed ones under their new names, quotes removed", () => {
    expect(read("parseChangedFiles", `${status}\n`)).toEqual([
      "src/a.ts",
      "staged.ts",
      "both.ts",
      "new file.txt",
      "new.ts",
      "ä b.ts",
      "tab\there.md",
      "gone -> kept.ts",
    ]);
  });

  test("untracked, staged and unstaged ones are separate", () => {
    expect(read("parseUntrackedFiles", status)).toEqual(["new file.txt", "tab\there.md"]);
    expect(read("parseStagedFiles", status)).toEqual(["staged.ts", "both.ts", "new.ts", "ä b.ts"]);
    expect(read("parseUnstagedFiles", status)).toEqual(["src/a.ts", "both.ts", "gone -> kept.ts"]);
  });

  test("an output that was trimmed, names with their status and bare names are understood, too", () => {
    expect(read("parseChangedFiles", "M src/a.ts\n M b.ts")).toEqual(["src/a.ts", "b.ts"]);
    expect(read("parseChangedFiles", "M\ta.ts\nR100\told.ts\tnew.ts")).toEqual(["a.ts", "new.ts"]);
    expect(read("parseChangedFiles", "src/a.ts\nb c.ts\n")).toEqual(["src/a.ts", "b c.ts"]);
    expect(read("parseChangedFiles", "")).toEqual([]);
  });

  test("the output of a real git is read exactly", () => {
    const directory = mkdtempSync(join(tmpdir(), "e8 git ü "));
    const git = (...words: string[]) => execFileSync("git", words, { cwd: directory, encoding: "utf8" });
    const names = [
      "plain.txt",
      "with space.txt",
      'quo"te.txt',
      "ünï 日本.txt",
      "$(touch pwned)",
      "a -> b.txt",
      "tab\t.txt",
    ];
    try {
      git("init", "-q");
      for (const name of names) writeFileSync(join(directory, name), name);
      mkdirSync(join(directory, "dir"));
      expect((read("parseChangedFiles", git("status", "--porcelain")) as string[]).sort()).toEqual([...names].sort());
      git("add", "-A");
      git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x");
      for (const name of names) renameSync(join(directory, name), join(directory, `dir/${name}`));
      git("add", "-A");
      const moved = read("parseStagedFiles", git("status", "--porcelain")) as string[];
      expect(moved.sort()).toEqual(names.map((name) => `dir/${name}`).sort());
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

test("failing tests are found in the output of the usual runners", () => {
  const output = [
    " FAIL  test/a.test.ts > adds",
    "  ✕ subtracts (3 ms)",
    "   × multiplies 12ms",
    "not ok 3 - divides",
    "ok 4 - fine",
    "FAILED tests/test_a.py::test_x - assert 1 == 2",
    "--- FAIL: TestGo (0.00s)",
    "test tests::rust ... FAILED",
    "deno thing ... FAILED (5ms)",
    "\u001b[31m✗\u001b[39m coloured",
    "  ✓ passes",
    "12 passed",
  ].join("\n");
  const failures = [
    "test/a.test.ts > adds",
    "subtracts",
    "multiplies",
    "divides",
    "tests/test_a.py::test_x - assert 1 == 2",
    "TestGo",
    "tests::rust",
    "deno thing",
    "coloured",
  ];
  for (const name of ["parseTestFailures", "parseTestOutput", "failedTests"]) {
    expect(read(name, "", output)).toEqual(failures);
  }
});

test("type errors, lint findings and formatting are found in the output of the usual tools", () => {
  const types = "src/a.ts(1,2): error TS2322: no.\nsrc/b.ts:3:4 - error TS1: no.\nc.py:3: error: no\nFound 2 errors.";
  expect(read("parseTypeErrors", types)).toEqual(types.split("\n").slice(0, 3));
  const stylish = "\n/p/src/a.ts\n  3:5   error  'x' is unused  no-unused-vars\n\n✖ 1 problem\n";
  expect(read("parseLintErrors", stylish)).toEqual(["/p/src/a.ts:3:5 error 'x' is unused no-unused-vars"]);
  expect(read("lintErrors", "a.py:1:2: F401 unused\nAll done")).toEqual(["a.py:1:2: F401 unused"]);
  expect(read("parseFormatOutput", "Checking…\n[warn] src/a.ts\n[warn] Code style issues found")).toEqual(["src/a.ts"]);
  expect(read("files", "src/a.ts(1,2): error\nb/c.py:3: error\n")).toEqual(["src/a.ts", "b/c.py"]);
  expect(read("parseErrors", "fine\nError: no\nbuild failed")).toEqual(["Error: no", "build failed"]);
});

test("the plain parsers give the part they are named after", () => {
  expect(read("parseLines", "a\n\n b\n")).toEqual(["a", " b"]);
  expect(read("parseExitCode", "", "", 3)).toBe(3);
  expect(read("exitCode", "", "", 0)).toBe(0);
  expect(read("parseOutput", "out\n", "err\n")).toBe("out\nerr");
  expect(read("stdout", "out\n", "err\n")).toBe("out\n");
  expect(read("stderr", "out\n", "err\n")).toBe("err");
  expect(read("generateDiff", "noise\n--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n")).toMatch(/^--- a[\s\S]*\+y$/);
  expect(read("parseBranchName", "feature/x\n")).toBe("feature/x");
  expect(read("parseBranchName", "  main\n* feature/x\n")).toBe("feature/x");
  expect(read("parseBranchName", "## main...origin/main [ahead 1]\n")).toBe("main");
  expect(read("parseRemoteStatus", "On branch x\nYour branch is ahead of 'origin/x' by 1 commit.\n")).toContain(
    "ahead",
  );
  expect(read("parseMergeStatus", "Auto-merging a\nCONFLICT (content): Merge conflict in a\n")).toContain("CONFLICT");
});

test("a list that is too long for a prompt says how much of it is left out", () => {
  const lines = read("parseLines", Array.from({ length: 250 }, (_, at) => `line ${at}`).join("\n")) as string[];
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toBe("… and 50 more");
});
