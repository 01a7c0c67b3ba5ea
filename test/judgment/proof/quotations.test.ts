import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDiff } from "../../../src/judgment/proof/diff-lines.ts";
import { DRIFT, findQuotation, type QuotedFile } from "../../../src/judgment/proof/quotations.ts";

const TEXT = [
  "export function sum(list) {",
  "  if (list.length === 2) {",
  "    return 3;",
  "  }",
  "\treturn list.reduce((a, b) => a + b, 0);",
  "}",
  "",
  "// 合計を返す",
  "const shown = '\u202Eevil\u200B';",
].join("\n");

function found(line: number, quote: string, file: QuotedFile = { text: TEXT }) {
  return findQuotation({ line, quote }, file);
}

describe("in the snapshot", () => {
  test("a whole line, a part of a line and a passage of several lines are found", () => {
    expect(found(3, "    return 3;")).toEqual({ side: "after", line: 3, is_changed: false });
    expect(found(3, "return 3")).toMatchObject({ line: 3 });
    expect(found(2, "if (list.length === 2) {\n    return 3;\n  }")).toMatchObject({ line: 2 });
    expect(found(8, "合計を")).toMatchObject({ line: 8 });
  });

  test("a quotation may be three lines off, and not four", () => {
    expect(found(6, "return 3;")).toMatchObject({ line: 3 });
    expect(found(7, "return 3;")).toBeUndefined();
  });

  test("white space at line ends and CRLF do not count; white space inside does", () => {
    expect(found(2, "  if (list.length === 2) {  \r\n    return 3;\t")).toMatchObject({ line: 2 });
    expect(found(1, "let a = 1;  \nlet b = 2;", { text: "let a = 1;\r\nlet b = 2;\r\n" })).toMatchObject({ line: 1 });
    expect(found(2, "if (list.length  === 2)")).toBeUndefined();
    expect(found(2, "if (list.length === 2) {\n  return 3;")).toBeUndefined();
    expect(found(5, "    return list.reduce")).toBeUndefined(); // spaces for a tab
    expect(found(5, "\treturn list.reduce")).toMatchObject({ line: 5 });
  });

  test("another spelling is not a quotation", () => {
    expect(found(3, "return 4;")).toBeUndefined();
    expect(found(3, "RETURN 3;")).toBeUndefined();
    expect(found(8, "合計を返す".normalize("NFD"))).toMatchObject({ line: 8 });
    expect(found(1, "café", { text: "café".normalize("NFD") })).toBeUndefined();
  });

  test("invisible characters are quoted as they are, or as the codes that the prompt shows", () => {
    expect(found(9, "const shown = '\u202Eevil\u200B';")).toMatchObject({ line: 9 });
    expect(found(9, "const shown = '<U+202E>evil<U+200B>';")).toMatchObject({ line: 9 });
    expect(found(9, "const shown = 'evil';")).toBeUndefined();
  });

  test.each(["", "   ", "\n\n", "}", "  }", "{", "});", "a", "re", "return 3;\n".repeat(9)])(
    "%j shows nothing",
    (quote) => {
      expect(found(3, quote)).toBeUndefined();
    },
  );

  test("a short line is quotable as a whole", () => {
    expect(found(1, "2", { text: "2\n" })).toMatchObject({ line: 1 });
    expect(found(1, "2", { text: "12\n" })).toBeUndefined();
    expect(found(1, "}", { text: "}\n" })).toBeUndefined();
  });

  test("nothing is found in a file without a text", () => {
    expect(found(1, "export function", {})).toBeUndefined();
  });
});

const DIFF = readDiff(`diff --git a/src/sum.js b/src/sum.js
index 1111111..2222222 100644
--- a/src/sum.js
+++ b/src/sum.js
@@ -1,3 +1,4 @@
 one line
-removed assertion
+added first
+added second
 last line
@@ -20,2 +21,1 @@ somewhere
 kept far away
---- removed, and looks like a header
`);

describe("with a diff", () => {
  const file: QuotedFile = { text: "one line\nadded first\nadded second\nlast line\n", diff: DIFF };

  test("a removed line is quoted by its old number, alone or with its surroundings", () => {
    expect(found(2, "removed assertion", file)).toEqual({ side: "before", line: 2, is_changed: true });
    expect(found(1, "one line\nremoved assertion\nlast line", file)).toMatchObject({ side: "before", line: 1 });
    expect(found(21, "--- removed, and looks like a header", file)).toMatchObject({ side: "before", line: 21 });
  });

  test("of the file before, only passages with a removed line count", () => {
    expect(found(20, "kept far away", file)).toBeUndefined();
  });

  test("lines on both sides of a gap between hunks are not neighbours", () => {
    expect(found(3, "last line\nkept far away\n--- removed, and looks like a header", file)).toBeUndefined();
  });

  test("says whether the quoted lines were changed", () => {
    expect(found(2, "added first", file)).toMatchObject({ side: "after", is_changed: true });
    expect(found(1, "one line", file)).toMatchObject({ side: "after", is_changed: false });
  });

  test("what git says about a whole file is its line 0", () => {
    const gone = {
      diff: readDiff(
        "diff --git a/logo.png b/logo.png\ndeleted file mode 100644\nindex 1..0\nBinary files a/logo.png and /dev/null differ\n",
      ),
    };
    expect(found(0, "deleted file mode 100644", gone)).toEqual({ side: "about", line: 0, is_changed: true });
    expect(found(1, "Binary files a/logo.png and /dev/null differ", gone)).toMatchObject({ side: "about" });
    expect(found(9, "deleted file mode 100644", gone)).toBeUndefined();
    expect(found(0, "deleted file mode 100755", gone)).toBeUndefined();
  });

  test("a file's own line cannot pass for what git says", () => {
    const forged = readDiff("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+deleted file mode 100644\n");
    expect(forged.about).toEqual([]);
  });
});

describe("any text", () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  const lines = fc.array(
    fc.oneof(
      word,
      fc.string({ maxLength: 12 }).map((text) => text.replace(/\n/g, " ")),
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  );

  test("every passage with three letters is found at its line, however many spaces end its lines", () => {
    fc.assert(
      fc.property(
        lines,
        fc.nat(),
        fc.integer({ min: 1, max: 5 }),
        fc.stringMatching(/^[ \t]{0,3}$/),
        (all, at, count, end) => {
          const start = at % all.length;
          const passage = all.slice(start, start + count);
          const first = passage.findIndex((line) => line.trimEnd() !== "");
          fc.pre((passage.join("").match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3);
          const quote = passage.map((line) => line + end).join("\r\n");
          expect(found(start + 1 + first, quote, { text: all.join("\n") })).toMatchObject({ side: "after" });
        },
      ),
    );
  });

  test("what is found stands there, within the drift", () => {
    fc.assert(
      fc.property(lines, word, fc.nat(40), (all, quote, line) => {
        const place = found(line, quote, { text: all.join("\n") });
        if (place) {
          expect(all[place.line - 1]).toContain(quote);
          expect(Math.abs(place.line - line)).toBeLessThanOrEqual(DRIFT);
        } else {
          const near = all.slice(Math.max(0, line - 1 - DRIFT), Math.max(0, line + DRIFT));
          expect(near.some((one) => one.includes(quote))).toBe(false);
        }
      }),
    );
  });

  test("a quotation with one more letter than the text is not found", () => {
    fc.assert(
      fc.property(lines, fc.nat(), (all, at) => {
        const start = at % all.length;
        const text = all.join("\n");
        expect(found(start + 1, `${all[start]}éé9é`, { text })).toBeUndefined();
      }),
    );
  });
});
