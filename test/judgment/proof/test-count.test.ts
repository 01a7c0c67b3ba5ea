import { describe, expect, test } from "vitest";
import { isOverruled, reportsFailures, runsFewerTests, testsReported } from "../../../src/judgment/proof/test-count.ts";
import { message } from "../../../src/model/message.ts";

describe("the number of tests is read from what runners print at their end", () => {
  test.each([
    ["node", "# tests 3\n# suites 0\n# pass 1\n# fail 2\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 40", 3],
    ["node, with colours", "\u001b[34mℹ tests 3\u001b[39m\n\u001b[34mℹ pass 1\u001b[39m\nℹ skipped 1\nℹ todo 1\n", 1],
    ["jest", "Tests:       1 failed, 2 skipped, 4 passed, 7 total\nTime: 1 s", 5],
    ["vitest", " Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n", 3],
    ["mocha", "\n  3 passing (4ms)\n  1 pending\n  2 failing\n", 5],
    ["pytest -q", "F..\n1 failed, 2 passed, 1 skipped in 0.02s", 3],
    ["pytest", "====== 2 passed, 1 xfailed in 0.01s ======", 2],
    ["unittest", "Ran 4 tests in 0.001s\n\nFAILED (failures=1, skipped=1)", 4],
    ["cargo", "test result: FAILED. 2 passed; 1 failed; 3 ignored; 0 measured; 0 filtered out", 3],
    ["rspec", "5 examples, 1 failure, 2 pending", 3],
    ["ctest", "67% tests passed, 1 tests failed out of 3", 3],
  ])("%s", (_, output, count) => expect(testsReported(output)).toBe(count));

  test("a check that tries its tests twice counts them once, and other output says nothing", () => {
    expect(testsReported("2 failed in 0.1s\n2 passed in 0.1s")).toBe(2);
    expect(testsReported("all is well, 3 files checked")).toBeUndefined();
  });
});

describe("a check that passes", () => {
  const passed = (evidence: string, more: object = {}) => ({
    id: 1,
    criterion: "npm test",
    is_met: true,
    evidence,
    confidence: 1,
    source: "command" as const,
    ...more,
  });

  const shown = { shows_passed: true };
  const hidden = { shows_passed: false };

  test("with fewer tests than before runs fewer, and so does one that shows those that pass and is silent", () => {
    expect(runsFewerTests(passed("1 passed in 0.1s"), { before: 3, ...shown })).toBe(true);
    expect(runsFewerTests(passed("1 passed in 0.1s"), { before: 3, ...hidden })).toBe(true);
    expect(runsFewerTests(passed(""), { before: 3, ...shown })).toBe(true);
  });

  test("that is silent where it prints only failures does not", () => {
    expect(runsFewerTests(passed(""), { before: 3, ...hidden })).toBe(false);
  });

  test("with as many or more, with none known before, or with a cut output, does not", () => {
    expect(runsFewerTests(passed("4 passed in 0.1s"), { before: 3, ...shown })).toBe(false);
    expect(runsFewerTests(passed(""), { before: undefined, ...shown })).toBe(false);
    expect(runsFewerTests(passed("…", { is_cut: true }), { before: 3, ...shown })).toBe(false);
  });
});

describe("failures that a check reports", () => {
  test.each([
    "# tests 3\n# suites 0\n# pass 0\n# fail 3\n# cancelled 0\n# skipped 0\n# todo 0\n",
    "Tests:       1 failed, 2 passed, 3 total\nTime: 1 s",
    "      Tests  1 failed | 2 passed (3)\n",
    "  3 passing (4ms)\n  2 failing\n",
    "1 failed, 2 passed in 0.02s",
    "1 error in 0.02s",
    "Ran 4 tests in 0.001s\n\nFAILED (failures=1)",
    "test result: FAILED. 2 passed; 1 failed; 0 ignored",
    "5 examples, 1 failure",
  ])("are read: %j", (output) => expect(reportsFailures(output)).toBe(true));

  test.each([
    "2 failed in 0.1s\n2 passed in 0.1s",
    "# tests 3\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n",
    "Ran 4 tests in 0.001s\n\nOK (expected failures=1)",
    "2 passed, 1 xfailed in 0.01s",
    "the login failed as it should",
  ])("are none where the last summary has none: %j", (output) => expect(reportsFailures(output)).toBe(false));
});

test("a check that said how many tests it ran, even none, must say so again", () => {
  const silent = { id: 1, criterion: "pytest", is_met: true, evidence: "", confidence: 1, source: "command" as const };
  expect(testsReported("1 error in 0.1s")).toBe(0);
  expect(runsFewerTests(silent, { before: 0, shows_passed: true })).toBe(true);
});

test("a check that exits with 0 and counts for nothing is overruled; one that exits with 1 is not", () => {
  const unmet = { id: 1, criterion: "pytest", is_met: false, evidence: "", confidence: 1, source: "command" as const };
  expect(isOverruled({ ...unmet, outcome: message("fewer_tests", { before: 3, now: 1 }) })).toBe(true);
  expect(isOverruled({ ...unmet, outcome: message("failures_reported", {}) })).toBe(true);
  expect(isOverruled({ ...unmet, outcome: message("command_exited", { exit_code: 1, seconds: 1 }) })).toBe(false);
});
