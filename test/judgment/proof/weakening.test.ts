import { describe, expect, test } from "vitest";
import type { ProtectionBasis } from "../../../src/judgment/proof/protection.ts";
import { added, found, modified } from "./protection-support.ts";

const text = (now: string, before?: string): Pick<ProtectionBasis, "text"> => ({
  text: (_, when) => (when === "start" ? before : now),
});

describe("a new test that decides about other tests", () => {
  const SOURCED = ["set -e\nexpect() { false; }\nfor one in test/*.sh; do . ./$one; done\n"];

  test.each<[string, string, string, (readonly string[])?]>([
    ["stands in for a module of the project", "test_a.py", 'sys.modules["sums"] = stub\n'],
    ["replaces what a module has", "test_a.py", 'import sums\n\nvars(sums)["total"] = sum\n'],
    ["replaces what a module has", "test_a.py", "import sums\n\nsums.__dict__.update(total=sum)\n"],
    ["patches and never ends it", "test_a.py", 'mock.patch("sums.total", sum).start()\n'],
    ["brings a plugin", "test_a.py", 'pytest_plugins = ["quality"]\n'],
    ["fills the cache of modules", "a.test.js", "require.cache[id] = { id, exports };\n"],
    ["ends before main", "test_a.c", "__attribute__((constructor)) static void a(void) { _exit(0); }\n"],
    ["ends the script that reads it", "a.test.sh", "exit 0\n", SOURCED],
    ["has its own assertion in the script that reads it", "a.test.sh", "expect() { :; }\n", SOURCED],
    ["replaces assertions that it asks for", "a.test.mjs", 'createRequire(url)("node:assert").equal = () => {};\n'],
  ])("%s: %s", (_, name, now, commands) => {
    const path = `test/${name}`;
    expect(found([added(path)], { ...text(now), ...(commands && { commands }) })).toEqual([`loaded ${path}`]);
  });

  test.each<[string, string, string, (readonly string[])?]>([
    ["a package that is not there", "test_a.py", 'sys.modules["RPi.GPIO"] = MagicMock()\n'],
    ["a plugin of pytest's own", "test_a.py", 'pytest_plugins = ["pytester"]\n'],
    ["the time of one test", "test_a.py", 'def test_a():\n    mock.patch("sums.now", str).start()\n'],
    ["nothing by deleting from the cache", "a.test.js", "delete require.cache[id];\n"],
    ["nothing by ending itself", "a.test.sh", "exit 0\n", ["sh test/all.sh"]],
    ["nothing by failing", "a.test.sh", "greet || exit 1\nexit 1\n", SOURCED],
    ["nothing by its own macro", "test_a.c", "#define assert(x) check(x)\n"],
  ])("one that replaces %s is welcome", (_, name, now, commands) => {
    expect(found([added(`test/${name}`)], { ...text(now), ...(commands && { commands }) })).toEqual([]);
  });
});

test.each([
  ["src/lib.rs", "macro_rules! assert_eq { ($($x:tt)*) => {}; }\n"],
  ["sum.h", "#undef assert\n#define assert(x) ((void)0)\n"],
  ["sums.py", '    from unittest import TestCase, mock\n    mock.patch.object(TestCase, "assertEqual").start()\n'],
  ["sums.py", "sys.exit = lambda code=0: None\n"],
  ["src/sum.js", 'createRequire(import.meta.url)("node:assert/strict").equal = () => {};\n'],
])("%s may not replace assertions, nor how a run ends: %s", (path, now) => {
  expect(found([modified(path)], text(now, "\n"))).toEqual([`weakening ${path}`]);
});

test("a text that shows how to extend assertions replaces none", () => {
  expect(found([modified("README.md")], text("expect.extend({ toBeEven });\n", "\n"))).toEqual([]);
});

test.each([
  ["stylelint src", "a.css", "/* stylelint-disable */\na {}\n"],
  ["yamllint .", "a.yml", "# yamllint disable\na: 1\n"],
  ["bandit -r .", "a.py", "eval('1')  # nosec\n"],
])("%s is not kept quiet in %s", (command, path, now) => {
  expect(found([modified(path)], { ...text(now, "\n"), commands: [command] })).toEqual([`weakening ${path}`]);
  expect(found([modified(path)], text(now, "\n"))).toEqual([]);
});
