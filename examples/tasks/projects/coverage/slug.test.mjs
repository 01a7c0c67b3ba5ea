import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "./slug.mjs";

test("words are joined by hyphens", () => {
  assert.equal(slug("Hello, World!"), "hello-world");
});
