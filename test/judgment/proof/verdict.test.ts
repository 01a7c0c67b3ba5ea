import { describe, expect, test } from "vitest";
import { type ProofEvidence, verdictOn } from "../../../src/judgment/proof/verdict.ts";
import type { Evaluation } from "../../../src/model/evaluation.ts";
import { message } from "../../../src/model/message.ts";
import type { Review } from "../../../src/model/proof-record.ts";

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
  links_out: [],
  toolchain_changes: [],
  review: { missing: message("review_without_model", {}), reviews: [], cut_files: [] },
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

describe("with reviewers", () => {
  const SILENT: Review = { model: "m", findings: [], criteria: [], protected_files: [], ignored_files: null };
  const place = { file: "a.test.js", line: 3, quote: "expect(1)", is_verified: true, explanation: "why" };
  const by = (...reviews: Partial<Review>[]) => ({
    reviews: reviews.map((one) => ({ ...SILENT, ...one })),
    cut_files: [],
  });

  test("a verified finding refutes the claim; one whose quotation was not found does not", () => {
    const finding = { kind: "special_case" as const, ...place };
    expect(codes({ ...PASSED, review: by({ findings: [finding] }) })).toEqual(["review_finding"]);
    expect(codes({ ...PASSED, review: by({ findings: [{ ...finding, is_verified: false }] }) })).toEqual([]);
    expect(codes({ ...PASSED, review: by({}, { findings: [finding] }) })).toEqual(["review_finding"]);
    expect(codes({ ...PASSED, review: by({ findings: [finding] }, { findings: [finding] }) })).toHaveLength(1);
  });

  test("a criterion counts as met only with a verified quotation, for every reviewer", () => {
    const met = { id: 2, criterion: "c", is_met: true, ...place };
    expect(codes({ ...PASSED, review: by({ criteria: [met] }, { criteria: [met] }) })).toEqual([]);
    expect(codes({ ...PASSED, review: by({ criteria: [{ ...met, is_verified: false }] }) })).toEqual([
      "review_unquoted",
    ]);
    expect(codes({ ...PASSED, review: by({ criteria: [met] }, { criteria: [{ ...met, is_met: false }] }) })).toEqual([
      "review_unmet",
    ]);
  });

  describe("and a changed protected file", () => {
    const changed: ProofEvidence = {
      ...PASSED,
      policy: "review",
      protected_changes: [{ path: "a.test.js", status: "modified", why: "test" }],
    };
    const demanded = { ...place, is_demanded: true, demand: "change the tests", is_demand_verified: true };

    test("the claim holds if all find that the task demands the change", () => {
      expect(
        codes({ ...changed, review: by({ protected_files: [demanded] }, { protected_files: [demanded] }) }),
      ).toEqual([]);
    });

    test.each([
      ["one does not", { is_demanded: false }],
      ["a quotation was not found", { is_verified: false }],
      ["the user never wrote the demand", { is_demand_verified: false }],
      ["it is about another file", { file: "b.test.js" }],
    ])("it does not if %s", (_, other) => {
      const review = by({ protected_files: [demanded] }, { protected_files: [{ ...demanded, ...other }] });
      expect(verdictOn({ ...changed, review }).reasons).toMatchObject([
        { code: "review_undemanded", params: { file: "M a.test.js" } },
      ]);
    });

    test("what is left to the reviewers does not refute the claim before they are asked", () => {
      expect(verdictOn({ ...changed, review: "pending" }).holds).toBe(true);
      expect(verdictOn({ ...changed, policy: "fail", review: "pending" }).holds).toBe(false);
    });

    test("without a review it refutes the claim", () => {
      expect(codes(changed)).toEqual(["protected_changed"]);
    });

    test("restored originals do not refute the claim where the checks ran on them, in a clean checkout", () => {
      expect(codes({ ...changed, policy: "restore" })).toEqual([]);
      expect(codes({ ...changed, policy: "restore", method: "in-place" })).toEqual(["protected_changed"]);
      const failing = { ...changed, evaluations: [check(false)], with_made: [check(true)], made_since: ["dist/a"] };
      expect(verdictOn({ ...failing, policy: "restore" }).holds).toBe(false);
    });
  });

  describe("and a check that needs files made since", () => {
    const built: ProofEvidence = { ...FAILED, made_since: ["dist/a.js"], with_made: [check(true)] };
    const build = { ...place, is_build: true };

    test("a build is forgiven, and the proof is one in place", () => {
      expect(verdictOn({ ...built, review: by({ ignored_files: build }) })).toMatchObject({
        holds: true,
        method: "in-place",
      });
    });

    test.each([[{ is_build: false }], [{ is_verified: false }]])("a stamp is not: %j", (other) => {
      expect(codes({ ...built, review: by({ ignored_files: { ...build, ...other } }) })).toEqual([
        "proof_checks_failed",
        "review_stamp",
      ]);
    });

    test("a clean proof stays a clean proof", () => {
      expect(verdictOn({ ...built, mode: "clean", review: by({ ignored_files: build }) }).holds).toBe(false);
    });
  });

  describe("one of whom gave no usable answer", () => {
    const silent = { problem: "not JSON" };

    test("the claim is neither proved nor refuted", () => {
      expect(verdictOn({ ...PASSED, review: by({}, silent) })).toMatchObject({
        holds: false,
        is_undecided: true,
        reasons: [{ code: "review_unusable", params: { model: "m", problem: "not JSON" } }],
      });
    });

    test("the objection of another one refutes it", () => {
      const review = by({ findings: [{ kind: "weakened_test", ...place }] }, silent);
      const verdict = verdictOn({ ...PASSED, review });
      expect(verdict.is_undecided).toBeUndefined();
      expect(verdict.reasons).toMatchObject([{ code: "review_finding" }]);
    });
  });
});
