import { describe, expect, test } from "vitest";
import { type ProtectionBasis, protectedChanges, protectionOf } from "../../../src/judgment/proof/protection.ts";

const PLAIN: Omit<ProtectionBasis, "changes"> = {
  commands: ["npm test"],
  task: "Make it add.",
  files: [],
  may_change: [],
  named_only: false,
  had_tests: true,
  installed: new Set(["node_modules"]),
  names_package: () => false,
  packages: new Set(["packages/app"]),
  uses_doctests: false,
  text: () => undefined,
};

function found(changes: ProtectionBasis["changes"], basis: Partial<ProtectionBasis> = {}): string[] {
  return protectedChanges({ ...PLAIN, changes, ...basis }).map(({ path, why }) => `${why} ${path}`);
}

const modified = (path: string) => ({ path, status: "modified", is_ignored: false }) as const;
const added = (path: string) => ({ path, status: "added", is_ignored: false }) as const;
const ignored = (path: string, status: "added" | "modified" = "added") => ({ path, status, is_ignored: true }) as const;

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
    [".github/workflows/ci.yml", "configuration"],
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

describe("manifests count only for what the checks rest on", () => {
  const texts = (before: object, now: object) => ({
    text: (_: string, when: "start" | "now") => JSON.stringify(when === "start" ? before : now),
  });

  test("another test script counts", () => {
    const change = texts({ scripts: { test: "node --test" } }, { scripts: { test: "true" } });
    expect(found([modified("package.json")], change)).toEqual(["configuration package.json"]);
  });

  test("an added dependency does not", () => {
    const change = texts({ scripts: {} }, { scripts: {}, dependencies: { zod: "4" }, version: "2.0.0" });
    expect(found([modified("package.json")], change)).toEqual([]);
  });

  test("a dependency that lies in the project, or is another one under a known name, counts", () => {
    for (const version of ["file:./fake", "link:../fake", "npm:fake@1"]) {
      const change = texts({ scripts: {} }, { scripts: {}, devDependencies: { vitest: version } });
      expect(found([modified("package.json")], change)).toEqual(["configuration package.json"]);
    }
  });

  test("a replaced module of go.mod counts, a required one does not", () => {
    const start = "module sums\n\nrequire example.com/a v1.0.0\n";
    const more = (line: string) => ({
      text: (_: string, when: "start" | "now") => (when === "start" ? start : start + line),
    });
    expect(found([modified("go.mod")], more("require example.com/b v1.0.0\n"))).toEqual([]);
    expect(found([modified("go.mod")], more("replace example.com/a => ./fake\n"))).toEqual(["configuration go.mod"]);
  });

  test("a section of pyproject.toml that configures tests counts, a dependency does not", () => {
    const start = '[project]\nname = "a"\n';
    const more = (added: string) => ({
      text: (_: string, when: "start" | "now") => (when === "start" ? start : start + added),
    });
    expect(found([modified("pyproject.toml")], more('dependencies = ["x"]\n'))).toEqual([]);
    expect(found([modified("pyproject.toml")], more('[tool.pytest.ini_options]\naddopts = "-k nothing"\n'))).toEqual([
      "configuration pyproject.toml",
    ]);
  });

  test("a manifest that cannot be read counts", () => {
    expect(found([modified("package.json")])).toEqual(["configuration package.json"]);
  });
});

describe("files that git ignores", () => {
  test("a changed or new dependency that no manifest asks for is protected", () => {
    expect(found([ignored("node_modules/checked/index.js", "modified")])).toHaveLength(1);
    expect(found([ignored("node_modules/.bin/node")])).toEqual(["dependency node_modules/.bin/node"]);
  });

  test("a dependency beside a changed manifest is not", () => {
    const lock = modified("package-lock.json");
    expect(found([lock, ignored("node_modules/zod/index.js")])).toEqual([]);
  });

  test("a manifest among the installed packages asks for none", () => {
    const changes = [ignored("node_modules/zzz/package.json"), ignored("node_modules/.bin/node")];
    expect(found(changes)).toHaveLength(2);
  });

  test("the first installation of what the manifests name is no change of the dependencies", () => {
    const names = ["zod", "vitest"];
    const fresh = { installed: new Set<string>(), names_package: (name: string) => names.includes(name) };
    const installed = ["node_modules/zod/index.js", "node_modules/.bin/vitest", "node_modules/.package-lock.json"];
    expect(
      found(
        installed.map((path) => ignored(path)),
        fresh,
      ),
    ).toEqual([]);
    expect(found([ignored(".venv/lib/python3.11/site-packages/distutils-precedence.pth")], fresh)).toEqual([]);
    expect(found([ignored("node_modules/.bin/node")], fresh)).toEqual(["dependency node_modules/.bin/node"]);
  });

  test("a package where no manifest is comes before the one that is meant", () => {
    const lock = modified("package-lock.json");
    expect(found([lock, ignored("src/node_modules/checked/index.js")])).toHaveLength(1);
    expect(found([lock, ignored("packages/app/node_modules/zod/index.js")])).toEqual([]);
  });

  test("a dependency beside a manifest that asks for no other package is", () => {
    const manifest = (version: string) => JSON.stringify({ version, dependencies: { checked: "1.0.0" } });
    const text = (path: string, when: "start" | "now") =>
      path === "package.json" ? manifest(when === "start" ? "1.0.0" : "1.0.1") : undefined;
    const changes = [modified("package.json"), ignored("node_modules/checked/index.js", "modified")];
    expect(found(changes, { text })).toEqual(["dependency node_modules/checked/index.js"]);
  });

  test("installed packages are protected, too, where git tracks them", () => {
    expect(found([modified("node_modules/checked/index.js")])).toEqual(["dependency node_modules/checked/index.js"]);
    expect(found([added("test/node_modules/assert/index.js")])).toEqual([
      "dependency test/node_modules/assert/index.js",
    ]);
  });

  test.each([
    "dist/index.js",
    "tests/__pycache__/test_a.cpython-311.pyc",
    "test/run.log",
    "node_modules/.cache/x",
    "coverage/lcov.info",
  ])("%s, written by a build or a test run, is not protected", (path) => expect(found([ignored(path)])).toEqual([]));

  test("bytecode beside its source is: it is loaded in its stead", () => {
    expect(found([ignored("tests/helpers.pyc", "modified")])).toEqual(["test tests/helpers.pyc"]);
  });
});

describe("what a file says decides where its name does not", () => {
  const texts = (before: string | undefined, now: string | undefined, more: Partial<ProtectionBasis> = {}) => ({
    ...more,
    text: (_: string, when: "start" | "now") => (when === "start" ? before : now),
  });
  const SUITE = 'import { test } from "node:test";\ntest("adds", () => {\n  equal(sum(), 6);\n});\n';
  const PYTEST = "import pytest\n\n\ndef test_adds():\n    assert total() == 6\n";

  test("a file that holds tests is one, whatever it is called; further tests in it are welcome", () => {
    expect(found([modified("suites/sum.mjs")], texts(SUITE, SUITE.replace("6", "-6")))).toEqual([
      "test suites/sum.mjs",
    ]);
    expect(found([modified("qa/sums.py")], texts(PYTEST, PYTEST.replace("== 6", "!= 6")))).toEqual(["test qa/sums.py"]);
    expect(found([modified("suites/sum.mjs")], texts(SUITE, `${SUITE}test("more", () => {});\n`))).toEqual([]);
  });

  test("a test of Rust beside its function, and an example in the documentation that cargo runs", () => {
    const rust = "fn a() {}\n\n#[test]\nfn adds() {\n    assert_eq!(sum(), 6);\n}\n\nfn b() {}\n";
    expect(found([modified("src/lib.rs")], texts(rust, rust.replace("6", "-6")))).toEqual(["test src/lib.rs"]);
    expect(found([modified("src/lib.rs")], texts(rust, rust.replace("fn b() {}", "fn b() { a() }")))).toEqual([]);

    const example = "/// ```\n/// assert_eq!(sum(), 6);\n/// ```\nfn sum() {}\n";
    const cargo = { commands: ["cargo test"] };
    for (const now of [example.replace("6", "-6"), example.replace("```", "```ignore")]) {
      expect(found([modified("src/lib.rs")], texts(example, now, cargo))).toEqual(["test src/lib.rs"]);
      expect(found([modified("src/lib.rs")], texts(example, now))).toEqual([]);
    }
  });

  test("own tests that cannot be read any more are lost, and those that were moved are not", () => {
    expect(found([modified("suites/sum.mjs")], texts(SUITE, undefined))).toEqual(["test suites/sum.mjs"]);
    const moved = [{ ...modified("suites/sum.mjs"), status: "deleted" as const }, added("suites/total.mjs")];
    expect(found(moved, texts(SUITE, SUITE))).toEqual([]);
    expect(found(moved, texts(SUITE, SUITE.replace("6", "-6")))).toEqual(["test suites/sum.mjs"]);
  });

  test("an example in a text, where the project has such examples run", () => {
    const text = "# Sums\n\n>>> total()\n6\n";
    const now = texts(text, text.replace("6", "-6"));
    expect(found([modified("README.md")], { ...now, uses_doctests: true })).toEqual(["test README.md"]);
    expect(found([modified("README.md")], now)).toEqual([]);
  });

  test.each([
    ["src/sum.js", 'import assert from "node:assert";\nassert.equal = () => {};\n'],
    ["src/sum.js", 'import check from "node:assert/strict";\ncheck.equal = () => {};\n'],
    ["src/sum.js", 'import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true }) });\n'],
    ["sums.py", "import unittest as u\nu.TestCase.assertEqual = lambda *all: None\n"],
    ["sums.py", 'import sys\nsys.modules["unittest"].TestCase.assertEqual = None\n'],
  ])("a program that gives assertions another meaning: %s", (path, now) => {
    expect(found([modified(path)], texts("", now))).toEqual([`weakening ${path}`]);
    expect(found([added(path)], texts(undefined, now))).toEqual([`weakening ${path}`]);
    expect(found([modified(path)], texts(now, now))).toEqual([]);
  });

  test.each([
    ["src/sum.js", 'import assert from "node:assert";\nassert.equal(a, b);\nconst assertion = a.b;\n'],
    [
      "tests/test_a.py",
      "from unittest import mock\nmock.return_value = 3\nimport unittest\nunittest.TestCase.maxDiff = None\n",
    ],
    ["tests/test_b.py", "import app\napp.testing = True\n\n\ndef test_a(monkeypatch):\n    app.total = 1\n"],
    ["test/c.test.js", 'const api = require("./api");\napi.fetch = jest.fn();\nexpect.extend({ toBeOdd });\n'],
  ])("which a program and a test that only use them do not: %s", (path, now) => {
    expect(found([added(path)], texts(undefined, now))).toEqual([]);
  });

  test("a new test that replaces what it tests", () => {
    const python = "import sums\n\nsums.total = lambda numbers: sum(numbers)\n";
    expect(found([added("tests/test_a.py")], texts(undefined, python))).toEqual(["loaded tests/test_a.py"]);
    const renamed = "from unittest import TestCase as Case\nCase.assertEqual = lambda *all: None\n";
    expect(found([added("tests/test_a.py")], texts(undefined, renamed))).toEqual(["loaded tests/test_a.py"]);
  });

  test.each([
    ["npx tsc --noEmit", "src/a.ts", "// @ts-nocheck\n"],
    ["eslint .", "src/a.js", "/* eslint-disable */\n"],
    ["mypy src", "src/a.py", "x = 1  # type: ignore\n"],
    ["cargo clippy", "src/a.rs", "#![allow(warnings)]\n"],
  ])("a comment that silences what a check runs: %s", (command, path, now) => {
    expect(found([modified(path)], texts("", now, { commands: [command] }))).toEqual([`weakening ${path}`]);
    expect(found([modified(path)], texts(now, now, { commands: [command] }))).toEqual([]);
    expect(found([modified(path)], texts("", now))).toEqual([]);
  });

  test("a tracked log among tests is one of their files; a new one is written by them", () => {
    expect(found([modified("expected/sums.log")])).toEqual(["test expected/sums.log"]);
    expect(found([modified("test/coverage/sum.test.js")])).toEqual(["test test/coverage/sum.test.js"]);
    expect(found([added("expected/run.log")])).toEqual([]);
  });
});

describe("a program that a check runs is found however the check names it", () => {
  const VERDICT = 'import { sum } from "./src/sum.js";\nif (sum() !== 6) process.exit(1);\n';
  const text = () => VERDICT;

  test.each([
    ['sh "$PWD/check.sh"', "check.sh"],
    ['sh "$(git rev-parse --show-toplevel)/ci/all.sh"', "ci/all.sh"],
    ['for one in ci/*.sh; do sh "$one"; done', "ci/a.sh"],
    ["run-parts ci", "ci/a.sh"],
    ["python3 -m qa.run", "qa/run.py"],
    ["node tools/compare", "tools/compare.js"],
    ['const { same } = require("./same");', "tools/same.js"],
    ["node --env-file=.env --test", ".env"],
    ["node runner.mjs", "runner.mjs"],
    ["python3 all_cases.py", "all_cases.py"],
  ])("%s", (command, path) => {
    expect(found([modified(path)], { commands: [command], text })).toEqual([`named ${path}`]);
  });

  test.each([
    ["node src/run.mjs", "src/run.mjs"],
    ["node main.js", "main.js"],
    ["node hello.mjs | grep Hello", "hello.mjs"],
    ["node greet.mjs > out.txt && diff out.txt wanted.txt", "greet.mjs"],
    ['import { check } from "../src/check.js";', "src/check.js"],
    ["eslint src scripts", "src/scripts.js"],
    ["grep -r total src", "src/total.js"],
    ["eslint src scripts", "scripts/release.sh"],
  ])("the work itself is none of them: %s", (command, path) => {
    expect(found([modified(path)], { commands: [command], text })).toEqual([]);
  });

  test("neither is a program without a verdict, or one that the task names", () => {
    const commands = ["node hello.mjs"];
    expect(found([modified("hello.mjs")], { commands, text: () => 'console.log("Bye");\n' })).toEqual([]);
    expect(found([modified("hello.mjs")], { commands, text, task: "hello.mjs says Bye." })).toEqual([]);
  });
});

describe("manifests and lock files of other tools", () => {
  const between = (before: string, now: string) => ({
    text: (_: string, when: "start" | "now") => (when === "start" ? before : now),
  });

  test.each([
    ["Cargo.toml", '[package]\nname = "a"\n', "autotests = false\n", "version = '2.0.0'\n"],
    ["Pipfile", "[packages]\n", '[scripts]\ntest = "true"\n', 'zod = "*"\n'],
    ["Gemfile", "source 'https://rubygems.org'\n", "exit 0\n", "gem 'rspec'\n"],
    ["mix.exs", "defp deps do\n", 'aliases: [test: "true"]\n', '{:jason, "~> 1.0"},\n'],
    ["pyproject.toml", "[tool.uv]\n", "[tool.uv.sources]\npytest = { git = 'x' }\n", "# a comment\n"],
    ["go.mod", "module a\n", "ignore ./tests\n", "require b v1.0.0\n"],
  ])("%s counts for what checks rest on", (path, start, telling, free) => {
    expect(found([modified(path)], between(start, start + telling))).toEqual([`configuration ${path}`]);
    expect(found([modified(path)], between(start, start + free))).toEqual([]);
  });

  test("composer.json counts for its scripts, and not for what it requires", () => {
    const text = (more: object) => JSON.stringify({ name: "a/b", ...more });
    const scripts = between(text({ scripts: { test: "phpunit" } }), text({ scripts: { test: "true" } }));
    expect(found([modified("composer.json")], scripts)).toHaveLength(1);
    expect(found([modified("composer.json")], between(text({}), text({ require: { "c/d": "1" } })))).toEqual([]);
  });

  const lock = (resolved: string) =>
    JSON.stringify({
      packages: {
        "": {},
        "node_modules/vitest": { resolved },
        "node_modules/a": { resolved: "packages/a", link: true },
      },
    });
  /** A package under another name, as many packages ask for: it takes the place of none. */
  const aliased = JSON.stringify({
    packages: { "node_modules/ansi-cjs": { resolved: "https://registry.npmjs.org/ansi/-/ansi-1.0.0.tgz" } },
  });
  const REGISTRY = "https://registry.npmjs.org/vitest/-/vitest-4.0.0.tgz";

  test.each([
    ["package-lock.json", lock(REGISTRY), lock("file:fake.tgz")],
    ["package-lock.json", lock(REGISTRY), lock("https://registry.npmjs.org/fake/-/fake-4.0.0.tgz")],
    ["yarn.lock", "vitest@4:\n", 'vitest@4:\n  resolved "file:./fake.tgz"\n'],
    ["uv.lock", "", 'source = { directory = "fake" }\n'],
    ["requirements.txt", "pytest\n", "-e ./fake\n"],
    ["requirements.txt", "pytest\n", "--index-url http://localhost\npytest\n"],
  ])("%s counts where it leads to another place", (path, before, now) => {
    expect(found([modified(path)], between(before, now))).toEqual([`configuration ${path}`]);
  });

  test.each([
    ["package-lock.json", lock(REGISTRY), lock(REGISTRY.replace("4.0.0", "4.1.0"))],
    ["requirements.txt", "pytest\n", "pytest\nrequests\n"],
    ["package-lock.json", lock(REGISTRY), aliased],
    ["pyproject.toml", "[project]\n", "[project]\ndescription = 'reads a file: any'\n"],
    ["pnpm-lock.yaml", "", "  a:\n    specifier: workspace:*\n    version: link:../a\n"],
  ])("and not for another version or package: %s", (path, before, now) => {
    expect(found([modified(path)], between(before, now))).toEqual([]);
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
