import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePrice } from "./price.mjs";

test("a point or a comma separates the cents", () => {
  assert.equal(parsePrice("3.50"), 350);
  assert.equal(parsePrice("3,50"), 350);
});
