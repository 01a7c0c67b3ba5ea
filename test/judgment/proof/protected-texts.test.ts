import { describe, expect, test } from "vitest";
import type { ProtectionBasis } from "../../../src/judgment/proof/protection.ts";
import { added, found, modified } from "./protection-support.ts";

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
