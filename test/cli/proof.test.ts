import { describe, expect, test } from "vitest";
import { proofLines } from "../../src/cli/render/proof.ts";
import { reviewInFull } from "../../src/cli/render/review.ts";
import { message } from "../../src/model/message.ts";
import { type Proof, type ProtectedChange, VerdictProof } from "../../src/model/proof-record.ts";
import { en } from "../../src/texts/en/catalogue.ts";
import { ja } from "../../src/texts/ja/catalogue.ts";
import { teller } from "../../src/texts/tell.ts";

const tell = teller("en");

const CHANGED: ProtectedChange = { path: "test/a.js", status: "modified", why: "test" };
const ALLOWED: ProtectedChange = { ...CHANGED, path: "test/b.js", is_allowed: true };

function said(more: Partial<Proof>, texts = en): string | undefined {
  const made = { method: "clean-room", start: "a".repeat(40), commit: "b".repeat(40), checks: [], ...more };
  const proof = VerdictProof.parse({ protected_changes: [], protection: "fail", ...made });
  const lines = proofLines({ proof, status: "completed" }, texts);
  return lines.find((line) => line.includes(texts.proof.protected));
}

describe("the line about protected files says what has become of them", () => {
  test.each<[string, Partial<Proof>, RegExp]>([
    ["unchanged", {}, /: as they were at the start$/],
    ["unknown without a snapshot of the start", { start: null }, /: not compared with the start/],
    ["unknown without one of the work", { commit: null }, /: not compared with the start/],
    ["changed as may_change allows", { protected_changes: [ALLOWED] }, /: changed, as may_change allows: test\/b\.js$/],
    [
      "not protected",
      { protected_changes: [CHANGED], protection: "off" },
      /: changed, and not protected, as you asked: /,
    ],
    ["put back", { protected_changes: [CHANGED], protection: "restore" }, /the checks ran on those of the start: /],
    [
      "not put back, because there was no clean checkout",
      { protected_changes: [CHANGED], protection: "restore", method: "in-place" },
      /: changed: test\/a\.js$/,
    ],
    [
      "several",
      { protected_changes: [CHANGED, ALLOWED], protection: "review" },
      /reviewers to allow: test\/a\.js, changed, as/,
    ],
  ])("%s", (_, proof, line) => expect(said(proof)).toMatch(line));

  test("in Japanese, too", () => expect(said({ protected_changes: [ALLOWED] }, ja)).toMatch(/may_change が認め/));

  test("of a record of the version before", () =>
    expect(said({ protected_changes: [CHANGED], protection: undefined })).toMatch(/: changed: test\/a\.js$/));
});

test("a proof without checks does not say that checks ran again", () => {
  const made = VerdictProof.parse({ method: "in-place", start: null, commit: null, checks: [], protected_changes: [] });
  const lines = proofLines({ proof: made, status: "completed" }, en);

  expect(lines[0]).toBe("proof: there are no checks to run again; the verdict rests on judges and reviewers");
  expect(tell(message("room_missing", { problem: message("git_missing", {}) }))).not.toContain("checks ran");
});

test("a file that may not be read is not called too large", () => {
  const said = tell(message("snapshot_unreadable", { count: 1, files: "secret" }));
  expect(said).toBe(
    "1 file of the project cannot be read, so no snapshot has it (secret): diff, rollback and protection do not see it.",
  );
});

test("a demand that the user has not written is told as that, and its quotation as found", () => {
  const about = { file: "test/a.js", line: 1, quote: "expect(1)", is_verified: true, explanation: "" };
  const file = { ...about, is_demanded: true, demand: "Delete it all", is_demand_verified: false };
  const review = { model: "m", findings: [], criteria: [], protected_files: [file], ignored_files: null };
  const said = reviewInFull({ review: { reviews: [review], cut_files: [] } }, en).join("\n");

  expect(said).toContain("the task demands this change (the user has not written this demand, so it does not count)");
  expect(said).not.toContain("quotation was not found");
});
