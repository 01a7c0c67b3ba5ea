import assert from "node:assert/strict";
import { test } from "node:test";
import { column } from "./column.mjs";

test("words are set flush right", () => {
  assert.equal(column(["tea", "scones"]), "   tea\nscones");
});
