import { describe, expect, test } from "vitest";
import type { ProtectionBasis } from "../../../src/judgment/proof/protection.ts";
import { added, found, modified } from "./protection-support.ts";

const start = (...paths: string[]) => ({ paths: new Set(paths) });
const now = (text: string) => ({ text: (_: string, when: "start" | "now") => (when === "now" ? text : undefined) });

describe("settings that no check of this run reads decide nothing", () => {
  test.each([
    [".github/workflows/ci.yml", "npm test && grep -rq 'npm test' .github/workflows", "act -j test"],
    [".nvmrc", "npm test && grep -q 20 .nvmrc", ". ~/.nvm/nvm.sh; nvm use; npm test"],
    [".gitlab-ci.yml", "npm test", "gitlab-ci-local"],
    [".pre-commit-config.yaml", "npm test", "pre-commit run --all-files"],
  ])("%s", (path, command, used) => {
    for (const change of [added(path), modified(path)]) {
      expect(found([change], { commands: [command] })).toEqual([]);
      expect(found([change], { commands: [used] })).toEqual([`configuration ${path}`]);
    }
  });

  test("a package that comes as a whole brings its own; one that was there does not", () => {
    const mine = [added("packages/words/package.json"), added("packages/words/vitest.config.js")];
    expect(found(mine, { ...start("packages/sums/package.json"), ...now("{}") })).toEqual([]);
    expect(found(mine, { ...start("packages/words/index.js"), ...now("{}") })).toEqual([
      "configuration packages/words/vitest.config.js",
    ]);
    const hooks = [added("packages/words/pyproject.toml"), added("packages/words/conftest.py")];
    expect(found(hooks, now(""))).toEqual(["loaded packages/words/conftest.py"]);
  });

  test("a manifest above tests that were there counts where it says what they import", () => {
    const above = start("src/sum.test.js", "app/tests/test_sums.py");
    const imports = now('{ "imports": { "#sum": "./easy.js" } }');
    expect(found([added("src/package.json")], { ...above, ...imports })).toEqual(["configuration src/package.json"]);
    expect(found([added("src/package.json")], { ...above, ...now('{ "type": "module" }') })).toEqual([]);
    const pytest = now('[tool.pytest.ini_options]\npythonpath = ["easy"]\n');
    expect(found([added("app/pyproject.toml")], { ...above, ...pytest })).toEqual(["configuration app/pyproject.toml"]);
  });
});

describe("a new file that comes before one of the start", () => {
  const cases: [path: string, paths: string[], more: Partial<ProtectionBasis>][] = [
    ["tests/sums.py", ["sums.py"], {}],
    ["tests/sums/__init__.py", ["src/sums/__init__.py"], {}],
    ["tests/sums.py", ["sums.py", "tests/__init__.py"], { commands: ["python3 -m unittest discover -s tests"] }],
    ["tests/test_sums/__init__.py", ["tests/test_sums.py"], {}],
    ["qa/run/__main__.py", ["qa/run.py"], {}],
    ["test/all", ["test/all.js"], {}],
    ["lib/strict.pm", ["lib/Sums.pm"], {}],
    ["coverage/__main__.py", [], {}],
    ["include/string.h", [], { commands: ["cc -Iinclude -o t test.c"] }],
  ];
  test.each(cases)("%s before %j", (path, paths, more) => {
    expect(found([added(path)], { ...start(...paths), ...now(""), ...more })).toEqual([`loaded ${path}`]);
  });

  const harmless: typeof cases = [
    ["tests/sums.py", ["sums.py", "tests/__init__.py"], { commands: ["python3 -m pytest"] }],
    ["tests/sums.py", ["app/sums.py"], {}],
    ["tests/__init__.py", ["src/__init__.py"], {}],
    ["tests/test_more.py", ["sums.py"], {}],
    ["bin/all", ["bin/all.js"], {}],
    ["lib/Sums/Strict.pm", [], {}],
    ["src/string.h", [], { commands: ["cc -Iinclude -o t test.c"] }],
  ];
  test.each(harmless)("which others do not: %s", (path, paths, more) => {
    expect(found([added(path)], { ...start(...paths), ...now(""), ...more })).toEqual([]);
  });

  test("the task's name for the old one does not ask for the new one", () => {
    const task = "total() in sums.py subtracts.";
    expect(found([added("tests/sums.py")], { ...start("sums.py"), task, ...now("") })).toEqual([
      "loaded tests/sums.py",
    ]);
    const asks = { task: "Write tests/sums.py.", ...now("") };
    expect(found([added("tests/sums.py")], { ...start("sums.py"), ...asks })).toEqual([]);
  });
});

describe("a new file that keeps make from its work", () => {
  const commands = ["make check", "check:\n\tnode test/compare.js\napp:\n\tcc -o $@ app.c\n"];

  test("one by the name of a target whose recipe does not build it", () => {
    expect(found([added("check")], { commands })).toEqual(["loaded check"]);
    expect(found([added("check")], { commands, task: "Make check pass." })).toEqual(["loaded check"]);
    expect(found([added("check")], { commands, task: "Write the file `check`." })).toEqual([]);
    expect(found([added("check")], { commands: [...commands, ".PHONY: check\n"] })).toEqual([]);
    expect(found([added("app")], { commands: ["make app", ...commands] })).toEqual([]);
    expect(found([added("check")], { commands: commands.slice(1) })).toEqual([]);
  });

  test("one that a makefile includes by a computed name, unless it only lists what depends on what", () => {
    const includes = { commands: ["make test", "-include $(OBJS:.o=.d)\ntest:\n\tnode --test\n"] };
    expect(found([added("sum.d")], { ...includes, ...now("SHELL = /bin/true\n") })).toEqual(["loaded sum.d"]);
    expect(found([added("sum.d")], { ...includes, ...now("sum.o: sum.c \\\n  sum.h\n\nsum.h:\n") })).toEqual([]);
  });
});

describe("where no file is called a test, a new file counts where it takes over from what a check reads", () => {
  test.each([
    ["GNUmakefile", "Makefile", "make check"],
    [".npmrc", "package.json", "npm test"],
    ["json.py", "harness.py", "python3 harness.py"],
  ])("%s from %s", (path, from, command) => {
    const basis = { had_tests: false, commands: [command], ...now("") };
    expect(found([added(path)], { ...basis, ...start(from) })).toEqual([`loaded ${path}`]);
    expect(found([added(path)], basis)).toEqual([]);
  });

  test("the modules of a program that is tested do not", () => {
    const basis = { had_tests: false, ...start("main.py", "calc.py"), ...now("") };
    expect(found([added("token.py")], { ...basis, commands: ["python3 main.py"] })).toEqual([]);
    expect(found([added("token.py")], { ...basis, commands: ["python3 calc.py | grep 3"] })).toEqual([]);
  });
});

describe("a text that the task names is the work, although it is called or kept as tests are", () => {
  test.each([
    ["docs/spec.md", "grep -q 8080 docs/spec.md"],
    ["spec/openapi.yaml", "grep -q /health spec/openapi.yaml"],
    ["fixtures/countries.json", "jq -e '.[1]' ./fixtures/countries.json"],
    ["test/README.md", "npm test"],
  ])("%s", (path, command) => {
    expect(found([modified(path)], { task: `Correct ${path}.`, commands: [command] })).toEqual([]);
  });

  test.each([
    ["golden/sums.txt", "diff out.txt golden/sums.txt"],
    ["golden/sums.txt", "grep -qf golden/sums.txt out.txt"],
    ["test/cases.md", "npm test"],
    ["test/sum.test.js", "grep -q sum test/sum.test.js"],
  ])("%s is held against it: %s", (path, command) => {
    expect(found([modified(path)], { task: `Do as ${path} says.`, commands: [command] })).toHaveLength(1);
  });
});

test("a new version in setup.cfg is free, and where its tests are is not", () => {
  const before = "[metadata]\nversion = 1.0.0\n";
  const change = (after: string) => ({
    text: (_: string, when: "start" | "now") => (when === "start" ? before : after),
  });
  expect(found([modified("setup.cfg")], change("[metadata]\nversion = 1.1.0\n"))).toEqual([]);
  expect(found([modified("setup.cfg")], change(`${before}[tool:pytest]\ntestpaths = more\n`))).toHaveLength(1);
});
