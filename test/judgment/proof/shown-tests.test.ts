import { describe, expect, test } from "vitest";
import { showsPassedTests } from "../../../src/judgment/proof/shown-tests.ts";

describe("a check shows how many tests have passed", () => {
  test.each([
    [["node --test"]],
    [["npm test", "node --test"]],
    [["npm test 2>&1", "tsc && vitest run"]],
    [["npm test 2>/dev/null", "node --test"]],
    [["npm ci >/dev/null && npm test", "jest"]],
    [["cd $(git rev-parse --show-toplevel) && python3 -m pytest -q"]],
    [["node --test 2>&1 | tee out.log | tail -20"]],
    [["sh check.sh", "set -e\nmkdir -p out >/dev/null\ncargo test --offline"]],
    [["sh -c 'timeout 60 npx vitest run'"]],
    [["make test", "NODE = node\n.PHONY: test\nall: test\ntest: build\n\t@node --test\n"]],
    [["node src/sum.test.js"]],
    [["if command -v pytest >/dev/null; then pytest; fi"]],
  ])("%j", (commands) => expect(showsPassedTests(commands)).toBe(true));
});

describe("a check that may print only failures does not", () => {
  test.each([
    [['o=$(npm test 2>&1) || { echo "$o"; exit 1; }', "node --test"]],
    [["npm test >l 2>&1 || (tail -50 l; false)", "node --test"]],
    [["bash ci.sh", "npm test >test.log 2>&1\ns=$?\n[ $s = 0 ] || cat test.log\nexit $s", "node --test"]],
    [["bash ci.sh", 'run() { "$@" >l 2>&1 || { cat l; exit 1; }; }\nrun npm test', "node --test"]],
    [["bash ci.sh", "exec >l 2>&1\nnpm test", "node --test"]],
    [["{ npm test; } &>l || { cat l; exit 1; }", "node --test"]],
    [["sh -c 'npm test' >l || cat l", "node --test"]],
    [["! npm test 2>&1 | grep failed", "pytest"]],
    [["npm test >/dev/null 2>&1 || npm test", "node --test"]],
    [["chronic npm test", "node --test"]],
    [["npm test", "turbo run test --output-logs=errors-only", "vitest run"]],
    [["node scripts/ci.js"]],
    [["tox"]],
    [["sh check.sh"]],
  ])("%j", (commands) => expect(showsPassedTests(commands)).toBe(false));
});
