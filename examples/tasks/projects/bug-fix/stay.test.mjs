import assert from "node:assert/strict";
import { test } from "node:test";
import { nights } from "./stay.mjs";

process.env.TZ = "Europe/Berlin";

test("a week has seven nights", () => {
  assert.equal(nights("2026-01-05", "2026-01-12"), 7);
});

test("the night of the change to summer time is a night", () => {
  assert.equal(nights("2026-03-28", "2026-03-30"), 2);
});

test("so is the night of the change back", () => {
  assert.equal(nights("2026-10-24", "2026-10-26"), 2);
});
