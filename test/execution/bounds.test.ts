import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens, keepHead, keepTail, takeFitting } from "../../src/execution/prompt/bounds.ts";

const MARK = "[cut]";
const texts = fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "日", "😀", "👩‍👩‍👧"), maxLength: 200 });
const sizes = fc.nat({ max: 120 });

describe.each([
  { name: "keepHead", keep: keepHead, kept: (text: string) => text.slice(0, -MARK.length) },
  { name: "keepTail", keep: keepTail, kept: (text: string) => text.slice(MARK.length) },
])("$name", ({ name, keep, kept }) => {
  test("leaves what fits as it is", () => {
    fc.assert(fc.property(texts, (text) => keep(text, estimateTokens(text), MARK) === text));
  });

  test("never keeps more than it may, and says when it cuts", () => {
    fc.assert(
      fc.property(texts, sizes, (text, tokens) => {
        fc.pre(estimateTokens(text) > tokens);
        const cut = keep(text, tokens, MARK);
        expect(estimateTokens(kept(cut))).toBeLessThanOrEqual(tokens);
        expect(name === "keepHead" ? cut.endsWith(MARK) : cut.startsWith(MARK)).toBe(true);
      }),
    );
  });

  test("keeps as much as fits, from its own end", () => {
    fc.assert(
      fc.property(texts, sizes, (text, tokens) => {
        fc.pre(estimateTokens(text) > tokens);
        const part = kept(keep(text, tokens, MARK));
        expect(name === "keepHead" ? text.startsWith(part) : text.endsWith(part)).toBe(true);
        expect(estimateTokens(part)).toBeGreaterThanOrEqual(tokens - 2); // half a pair may have to go
      }),
    );
  });

  test("never splits a surrogate pair", () => {
    fc.assert(fc.property(texts, sizes, (text, tokens) => keep(text, tokens, MARK).isWellFormed()));
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
