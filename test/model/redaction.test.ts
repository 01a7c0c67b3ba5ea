import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redacted, redactor } from "../../src/model/redaction.ts";

const TOKEN = "tok_9f8a7b6c5d4e3f2a";
const redact = redactor([{ name: "DEPLOY_TOKEN", value: TOKEN }]);

describe("a secret in a text", () => {
  test("is replaced by its name wherever it stands, and all else stays", () => {
    expect(redact(`curl -H "x: ${TOKEN}" && echo ${TOKEN}.`)).toBe(
      'curl -H "x: [redacted: DEPLOY_TOKEN]" && echo [redacted: DEPLOY_TOKEN].',
    );
    expect(redact("nothing to see, tok_ and 9f8a")).toBe("nothing to see, tok_ and 9f8a");
  });

  test("is found as JSON, addresses and base64 spell it, and line by line", () => {
    const value = 'pa"ss/word\\9 über';
    const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----";
    const hide = redactor([
      { name: "PW", value },
      { name: "KEY", value: key },
    ]);
    expect(hide(JSON.stringify({ said: value }))).toBe('{"said":"[redacted: PW]"}');
    expect(hide(`https://host/?p=${encodeURIComponent(value)}`)).toBe("https://host/?p=[redacted: PW]");
    expect(hide(Buffer.from(value).toString("base64"))).toContain("[redacted: PW]");
    expect(hide("3: MIIEvQIBADANBgkqhkiG9w0")).toBe("3: [redacted: KEY]");
  });

  test("of two that begin alike, the longer one is meant", () => {
    const hide = redactor([
      { name: "SHORT", value: "abcdef123" },
      { name: "LONG", value: "abcdef123456" },
    ]);
    expect(hide("abcdef123456 abcdef123")).toBe("[redacted: LONG] [redacted: SHORT]");
  });

  test("never survives a cut: of two pieces of a stream, neither shows as much as half of it", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+_-]{10,60}$/);
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(secret, around, around, fc.double({ min: 0, max: 1, noNaN: true }), (value, before, after, place) => {
        const hide = redactor([{ name: "S", value }]);
        const cut = Math.floor(place * value.length);
        const pieces = [hide(before + value.slice(0, cut)), hide(value.slice(cut) + after)];
        const longest = Math.min(8, Math.ceil(value.length / 2));
        expect(pieces.join("")).not.toContain(value);
        if (cut >= longest) expect(pieces[0]).toMatch(/\[redacted: S\]$/);
        if (value.length - cut >= longest) expect(pieces[1]).toMatch(/^\[redacted: S\]/);
      }),
    );
  });
});

test("a record keeps its form, and is the same object where there is nothing to hide", () => {
  const record = { type: "summary", reason: `got ${TOKEN}`, list: [{ [TOKEN]: 1 }], at: null };
  expect(redacted(record, redact)).toEqual({
    ...{ type: "summary", reason: "got [redacted: DEPLOY_TOKEN]", at: null },
    list: [{ "[redacted: DEPLOY_TOKEN]": 1 }],
  });
  const plain = { a: ["b", { c: 1 }] };
  expect(redacted(plain, redact)).toBe(plain);
});
