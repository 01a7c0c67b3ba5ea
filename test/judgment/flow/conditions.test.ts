import { describe, expect, test } from "vitest";
import { evaluateOutcome, type ValidatorOutcome, verdict } from "../../../src/judgment/flow/conditions.ts";
import type { SuccessWhen } from "../../../src/model/flow/steps-registry.ts";
import { saying } from "../../support/saying.ts";

const LIMIT = { seconds: 7, setting: "timeout" };
const exit = (exit_code: number | null, stdout = "", stderr = ""): ValidatorOutcome => ({
  exit_code,
  signal: null,
  timed_out: false,
  start_error: null,
  stdout,
  output_tail: stdout + stderr,
});
const evaluate = (successWhen: SuccessWhen, outcome: ValidatorOutcome) =>
  evaluateOutcome({ type: "command", command: "x", successWhen, extractParams: {} }, outcome, LIMIT);

const empty: SuccessWhen = { kind: "empty" };
const zero: SuccessWhen = { kind: "exitCode", code: 0 };

describe("a condition holds when", () => {
  test.each([
    ["empty: nothing was printed", empty, exit(0), true],
    ["empty: only blanks were printed", empty, exit(0, " \n"), true],
    ["empty: something was printed on stderr alone", empty, exit(0, "", "warning"), true],
    ["empty: not when something was printed", empty, exit(0, " M a.ts\n"), false],
    ["empty: a silent exit 1, as grep gives when it finds nothing", empty, exit(1), true],
    ["empty: not when the command failed and said so", empty, exit(1, "", "fatal: not a git repository"), false],
    ["empty: not when the command failed silently otherwise", empty, exit(128), false],
    ["exitCode: it is that one", { kind: "exitCode", code: 2 }, exit(2, "x"), true],
    ["exitCode: not when it is another", zero, exit(1), false],
    ["contains: stdout has it", { kind: "contains", text: "ok" }, exit(1, "all ok"), true],
    ["contains: not when only stderr has it", { kind: "contains", text: "ok" }, exit(0, "", "ok"), false],
    ["contains: case matters", { kind: "contains", text: "ok" }, exit(0, "OK"), false],
    ["matches: stdout fits", { kind: "matches", pattern: "^\\d+ passed" }, exit(0, "12 passed"), true],
    ["matches: not when it does not", { kind: "matches", pattern: "^\\d+ passed" }, exit(0, "none"), false],
    ["matches: never when it is no expression", { kind: "matches", pattern: "(" }, exit(0, "("), false],
  ] as [string, SuccessWhen, ValidatorOutcome, boolean][])("%s", (_, when, outcome, passed) => {
    expect(evaluate(when, outcome)).toMatchObject({ passed, unrecoverable: false, reason: saying("") });
  });

  test("stdout was not separated: the whole output stands for it", () => {
    const { stdout: _, ...joined } = exit(0, "x");
    expect(evaluate(empty, joined)).toMatchObject({ passed: false });
    expect(evaluate({ kind: "contains", text: "x" }, joined)).toMatchObject({ passed: true });
  });
});

describe("a command that did not run to its end", () => {
  test.each([126, 127])("[C29] exit %d cannot be helped by trying again", (code) => {
    for (const when of [empty, zero, { kind: "contains", text: "" }] as SuccessWhen[]) {
      expect(evaluate(when, exit(code))).toMatchObject({ passed: false, unrecoverable: true });
    }
  });

  test("an exit code of 127 passes where it is expected", () => {
    expect(evaluate({ kind: "exitCode", code: 127 }, exit(127))).toMatchObject({ passed: true, unrecoverable: false });
  });

  test("never passes: time-out, signal, no exit code", () => {
    const contains: SuccessWhen = { kind: "contains", text: "ok" };
    expect(evaluate(contains, { ...exit(null, "ok"), timed_out: true })).toMatchObject({ passed: false });
    expect(evaluate(contains, { ...exit(null, "ok"), signal: "SIGKILL" })).toMatchObject({ passed: false });
    expect(evaluate(empty, exit(null))).toMatchObject({ passed: false, unrecoverable: false });
  });

  test("that could not be started cannot be helped", () => {
    const outcome = { ...exit(null), start_error: "ENOENT" };
    expect(evaluate(empty, outcome)).toEqual({
      passed: false,
      unrecoverable: true,
      reason: saying("could not be started: ENOENT"),
    });
  });
});

describe("the verdict", () => {
  const passed = { passed: true, unrecoverable: false };
  const failed = { passed: false, unrecoverable: false };
  const hopeless = { passed: false, unrecoverable: true };
  const retry = { action: "retry", maxAttempts: 3 } as const;

  test("is done when every condition passed, whatever failed before", () => {
    expect(verdict([passed, passed], retry, 0)).toBe("done");
    expect(verdict([], retry, 0)).toBe("done");
  });

  test("[C29] maxAttempts 3, always failing: retry, retry, abort", () => {
    expect([1, 2, 3].map((attempts) => verdict([passed, failed], retry, attempts))).toEqual([
      "retry",
      "retry",
      "abort",
    ]);
  });

  test("maxAttempts 1 aborts on the first failure", () => {
    expect(verdict([failed], { ...retry, maxAttempts: 1 }, 1)).toBe("abort");
  });

  test("[C29] an unrecoverable failure aborts at once, whatever the action", () => {
    for (const action of ["retry", "abort", "skip"] as const) {
      expect(verdict([failed, hopeless], { action, maxAttempts: 3 }, 1)).toBe("abort");
    }
  });

  test("abort aborts and skip goes on, on the first failure", () => {
    expect(verdict([failed], { action: "abort", maxAttempts: 3 }, 1)).toBe("abort");
    expect(verdict([failed], { action: "skip", maxAttempts: 3 }, 1)).toBe("skip");
  });
});
