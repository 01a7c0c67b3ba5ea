import { describe, expect, test } from "vitest";
import { protectedChanges, protectionOf } from "../../../src/judgment/proof/protection.ts";
import { added, found, modified, PLAIN } from "./protection-support.ts";

describe("a file that was there at the start is protected when the checks rest on it", () => {
  test.each([
    ["test/sum.test.js", "test"],
    ["tests/test_sum.py", "test"],
    ["src/__tests__/sum.ts", "test"],
    ["pkg/sum_test.go", "test"],
    ["src/main/SumTest.java", "test"],
    ["spec/sum_spec.rb", "test"],
    ["test/helpers.js", "test"],
    ["src/__snapshots__/a.snap", "test"],
    ["vitest.config.ts", "configuration"],
    [".mocharc.cjs", "configuration"],
    ["Makefile", "configuration"],
    ["tests/conftest.py", "loaded"],
    ["test_sum.c", "test"],
    ["src/SumSpec.scala", "test"],
    ["golden/sums.txt", "test"],
    ["pkg/testdata/in.json", "test"],
    ["features/sum.feature", "test"],
    ["t/sum.t", "test"],
    ["cypress/e2e/sum.cy.ts", "test"],
    ["integration-tests/sum.js", "test"],
    ["out.approved.txt", "test"],
    ["rules.mk", "configuration"],
    [".cargo/config.toml", "configuration"],
    ["go.work", "configuration"],
    ["bunfig.toml", "configuration"],
    ["gradle.properties", "configuration"],
    [".mvn/maven.config", "configuration"],
    [".gitmodules", "configuration"],
    [".rspec", "configuration"],
    [".python-version", "configuration"],
    ["build.rs", "loaded"],
    ["spec/spec_helper.rb", "loaded"],
  ])("%s: %s", (path, why) => {
    expect(found([modified(path)])).toEqual([`${why} ${path}`]);
    expect(found([{ ...modified(path), status: "deleted" }])).toEqual([`${why} ${path}`]);
  });

  test.each([
    "src/sum.js",
    "README.md",
    "src/contest.py",
    "docs/latest.md",
    "src/attest.ts",
    "src/features/login.ts",
    "src/ab-tests/banner.ts",
    "vendor/theme.css",
    ".gitignore",
  ])("%s is not", (path) => {
    expect(found([modified(path)])).toEqual([]);
  });

  test("a script that a check names, also from a directory above", () => {
    expect(found([modified("check.sh")], { commands: ["sh ./check.sh"] })).toEqual(["named check.sh"]);
    expect(found([modified("app/check.sh")], { commands: ["cd app && sh check.sh"] })).toEqual(["named app/check.sh"]);
  });

  test("a source file that a check names is the work itself, and so is a script that the task names", () => {
    expect(found([modified("src/sum.js")], { commands: ["node --check src/sum.js"] })).toEqual([]);
    const deploy = { commands: ["bash deploy.sh --dry-run"], task: "deploy.sh forgets the tag. Mend it." };
    expect(found([modified("deploy.sh")], deploy)).toEqual([]);
  });

  test("a file that the user names", () => {
    expect(found([modified("data/golden/a.csv")], { files: ["data/golden"] })).toEqual(["named data/golden/a.csv"]);
  });
});

describe("a new file is protected when it takes part in checks that did not ask for it", () => {
  test.each([
    "conftest.py",
    "sub/conftest.py",
    "sitecustomize.py",
    "pytest.py",
    "json.py",
    "pytest/__main__.py",
    "quiet.egg-info/entry_points.txt",
    "lib/minitest.rb",
    "assert.h",
    "build.rs",
  ])("%s", (path) => expect(found([added(path)])).toEqual([`loaded ${path}`]));

  test("a new configuration of the test runner counts where there were tests, and not where there were none", () => {
    expect(found([added("vitest.config.ts")])).toEqual(["configuration vitest.config.ts"]);
    expect(found([added("vitest.config.ts")], { had_tests: false })).toEqual([]);
  });

  test.each(["test/more.test.js", "tests/test_more.py", "src/new.js", "packages/new/package.json"])(
    "%s is welcome",
    (path) => expect(found([added(path)], { text: () => "" })).toEqual([]),
  );

  test("a new test that cannot be read as a text may do anything", () => {
    expect(found([added("test/more.test.js")])).toEqual(["loaded test/more.test.js"]);
    expect(found([added("test/picture.png")])).toEqual([]);
  });

  test("a module by the name of one that tests rely on is welcome where the task asks for it", () => {
    expect(found([added("statistics.py")])).toEqual(["loaded statistics.py"]);
    expect(found([added("statistics.py")], { task: "Write statistics.py with mean()." })).toEqual([]);
  });

  test("a manifest among the tests decides how they load, one of a new package does not", () => {
    expect(found([added("test/package.json")])).toEqual(["configuration test/package.json"]);
    expect(found([added("packages/new/package.json")])).toEqual([]);
  });

  test("a file that a makefile or a script loads where it is there", () => {
    const commands = ["make test", "-include .local\ntest:\n\tnode --test\n", "if [ -f env.sh ]; then . ./env.sh; fi"];
    expect(found([added(".local"), added("env.sh"), added("src/env.js")], { commands })).toEqual([
      "loaded .local",
      "loaded env.sh",
    ]);
  });
});

describe("scripts that a check runs are protected through the scripts that run them", () => {
  const behind = { commands: ["npm test", "node tools/compare.js && sh ci/lib.sh"] };

  test.each(["tools/compare.js", "ci/lib.sh"])("%s", (path) =>
    expect(found([modified(path)], behind)).toEqual([`named ${path}`]),
  );

  test("a module that a script runs is the work itself", () => {
    expect(found([modified("src/server.js")], { commands: ["npm start", "node src/server.js"] })).toEqual([]);
  });
});

describe("the text of a changed file decides where its name does not", () => {
  const now = (text: string, before?: string) => ({
    text: (_: string, when: "start" | "now") => (when === "now" ? text : before),
  });

  test.each([
    ["test/aaa.test.js", "process.exit(0);\n"],
    ["main_test.go", "package sum\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n"],
    ["test/only.test.js", 'test.only("fine", () => {});\n'],
    ["tests/test_aaa.py", "import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n"],
  ])("a new test that decides about the others is loaded unasked: %s", (path, text) => {
    expect(found([added(path)], now(text))).toEqual([`loaded ${path}`]);
  });

  test.each([
    ["test/cli.test.js", 'test("exits", () => {\n  run(() => process.exit(0));\n});\n'],
    ["tests/test_cli.py", "def test_exit():\n    with pytest.raises(SystemExit):\n        sys.exit(0)\n"],
    ["sum_test.go", "package sum\n\nfunc TestSum(t *testing.T) {}\n"],
  ])("another new test is welcome: %s", (path, text) => expect(found([added(path)], now(text))).toEqual([]));

  const RUST = "fn sum() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {}\n  #[test]\n  fn none() {}\n}\n";

  test("a source file that loses one of its own tests, or disables it, is protected", () => {
    expect(found([modified("src/lib.rs")], now(RUST.replace("  #[test]\n  fn none() {}\n", ""), RUST))).toHaveLength(1);
    expect(
      found([modified("src/lib.rs")], now(RUST.replace("  fn none", "  #[ignore]\n  fn none"), RUST)),
    ).toHaveLength(1);
    const doctest = 'def total(a):\n    """\n    >>> total([1, 2])\n    3\n    """\n';
    const changed = now(doctest.replace("    3\n", "    -3\n"), doctest);
    expect(found([modified("sums.py")], { ...changed, commands: ["python -m doctest sums.py"] })).toHaveLength(1);
    expect(found([modified("sums.py")], changed)).toEqual([]);
  });

  test("further tests in a source file, and another program before them, are welcome", () => {
    const more = RUST.replace("fn sum() {}", "fn sum() { add(); }").replace(/\}\n$/, "  #[test]\n  fn more() {}\n}\n");
    expect(found([modified("src/lib.rs")], now(more, RUST))).toEqual([]);
  });
});

test("protected files that may change are named, and allowed", () => {
  const may_change = ["test/a.*"];
  expect(
    protectedChanges({ ...PLAIN, changes: [modified("test/a.test.js"), modified("test/b.test.js")], may_change }),
  ).toEqual([
    { path: "test/a.test.js", status: "modified", why: "test", is_allowed: true },
    { path: "test/b.test.js", status: "modified", why: "test" },
  ]);
});

test("without a reviewer a protected change refutes; a policy of the user's stands", () => {
  expect(protectionOf(["auto"], false).policy).toBe("fail");
  expect(protectionOf(["auto"], true).policy).toBe("review");
  expect(protectionOf(["auto", "off"], true).policy).toBe("off");
  expect(protectionOf(["auto", "data/**", "fail"], true)).toEqual({ policy: "fail", files: ["data/**"] });
});
