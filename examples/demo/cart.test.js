import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "./cart.js";

test("an empty cart costs nothing", () => assert.equal(total([]), 0));

test("items add up", () => {
  const cart = [
    { cents: 250, count: 2 },
    { cents: 100, count: 3 },
  ];
  assert.equal(total(cart), 800);
});

test("ten of one item get 10 % off", () => assert.equal(total([{ cents: 100, count: 10 }]), 900));
