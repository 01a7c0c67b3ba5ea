import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CUT,
  estimateTokens,
  headOf,
  keepHead,
  keepTail,
  tailOf,
  takeFitting,
} from "../../../src/execution/prompt/bounds.ts";

const texts = fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "日", "😀", "👩‍👩‍👧"), maxLength: 200 });
const sizes = fc.nat({ max: 120 });

describe.each([
  { name: "keepHead", keep: keepHead, part: headOf, kept: (text: string) => text.slice(0, -CUT.length) },
  { name: "keepTail", keep: keepTail, part: tailOf, kept: (text: string) => text.slice(`${CUT}\n`.length) },
])("$name", ({ name, keep, part, kept }) => {
  test("leaves what fits as it is", () => {
    fc.assert(fc.property(texts, (text) => keep(text, estimateTokens(text)) === text));
  });

  test("never keeps more than it may, and says when it cuts", () => {
    fc.assert(
      fc.property(texts, sizes, (text, tokens) => {
        fc.pre(estimateTokens(text) > tokens);
        const cut = keep(text, tokens);
        expect(estimateTokens(kept(cut))).toBeLessThanOrEqual(tokens);
        expect(name === "keepHead" ? cut.endsWith(CUT) : cut.startsWith(`${CUT}\n`)).toBe(true);
      }),
    );
  });

  test("keeps as much as fits, from its own end", () => {
    fc.assert(
      fc.property(texts, sizes, (text, tokens) => {
        fc.pre(estimateTokens(text) > tokens);
        const piece = kept(keep(text, tokens));
        expect(name === "keepHead" ? text.startsWith(piece) : text.endsWith(piece)).toBe(true);
        expect(estimateTokens(piece)).toBeGreaterThanOrEqual(tokens - 2); // half a pair may have to go
      }),
    );
  });

  test("marks the same part of the text that a record keeps without a mark", () => {
    fc.assert(
      fc.property(texts, sizes, (text, tokens) => {
        const cut = estimateTokens(text) > tokens;
        expect(part(text, tokens)).toEqual({ text: cut ? kept(keep(text, tokens)) : text, is_cut: cut });
      }),
    );
  });

  test("never splits a surrogate pair", () => {
    fc.assert(fc.property(texts, sizes, (text, tokens) => keep(text, tokens).isWellFormed()));
  });
});

describe("takeFitting", () => {
  test("takes whole items from the front and counts the rest", () => {
    fc.assert(
      fc.property(fc.array(texts), sizes, (items, tokens) => {
        const { taken, left } = takeFitting(items, tokens);
        expect(taken).toEqual(items.slice(0, taken.length));
        expect(taken.length + left).toBe(items.length);
        expect(estimateTokens(taken.join("\n"))).toBeLessThanOrEqual(tokens);
      }),
    );
  });
});

describe("estimateTokens", () => {
  test("counts three ASCII characters as one token and every other as one", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("abcdef")).toBe(2);
    expect(estimateTokens("abcd")).toBe(2);
    expect(estimateTokens("日本語")).toBe(3);
  });
});
