import { describe, expect, test } from "vitest";
import { type ProofEvidence, verdictOn } from "../../../src/judgment/proof/verdict.ts";
import type { Evaluation } from "../../../src/model/records.ts";

const check = (is_met: boolean): Evaluation => ({
  id: 1,
  criterion: "it passes",
  is_met,
  evidence: "",
  confidence: 1,
  source: "command",
});

const PASSED: ProofEvidence = {
  mode: "auto",
  needs_room: true,
  method: "clean-room",
  evaluations: [check(true)],
  with_made: [],
  protected_changes: [],
  policy: "fail",
  made_since: [],
  is_start_lost: false,
  toolchain_changes: [],
};
const FAILED = { ...PASSED, evaluations: [check(false)] };
const codes = (evidence: ProofEvidence) => verdictOn(evidence).reasons.map(({ code }) => code);

test("a claim holds when every check passes again and nothing protected has changed", () => {
  expect(verdictOn(PASSED)).toMatchObject({ holds: true, method: "clean-room", weaker: [], reasons: [] });
});

test("a check that fails in the clean room refutes the claim", () => {
  expect(verdictOn(FAILED).holds).toBe(false);
  expect(codes(FAILED)).toEqual(["proof_checks_failed"]);
});

describe("a check that needs files made since, which git ignores", () => {
  const built = { ...FAILED, made_since: ["dist/a.js"], with_made: [check(true)] };

  test("is believed in place, and the proof says so", () => {
    const verdict = verdictOn(built);
    expect(verdict).toMatchObject({ holds: true, method: "in-place" });
    expect(verdict.weaker).toEqual([{ code: "proof_rests_on", params: { files: "dist/a.js" } }]);
  });

  test("refutes the claim where it fails with them, too", () => {
    expect(codes({ ...built, with_made: [] })).toEqual(["proof_checks_failed"]);
  });

  test("is refused where a clean proof is asked for", () => {
    expect(codes({ ...built, mode: "clean" })).toEqual(["proof_checks_failed", "proof_rests_on"]);
  });
});

test("a changed protected file refutes the claim, unless protection is off", () => {
  const changed = { ...PASSED, protected_changes: [{ path: "a.test.js", status: "deleted", why: "test" } as const] };
  expect(verdictOn(changed).reasons).toEqual([{ code: "protected_changed", params: { files: "D a.test.js" } }]);
  expect(verdictOn({ ...changed, policy: "off" }).holds).toBe(true);
});

test("a start that can no longer be read refutes the claim: nothing could be compared with it", () => {
  expect(codes({ ...PASSED, is_start_lost: true })).toEqual(["start_lost"]);
});

test("a changed program or setting outside the project refutes the claim", () => {
  expect(codes({ ...PASSED, toolchain_changes: ["M program npm"] })).toEqual(["toolchain_changed"]);
});

test("a proof in place does not satisfy one that must be clean", () => {
  expect(codes({ ...PASSED, method: "in-place", mode: "clean" })).toEqual(["proof_not_clean"]);
  expect(verdictOn({ ...PASSED, method: "in-place" }).holds).toBe(true);
});
