import { expect, test } from "vitest";
import { phrased, retold, retoldInAll, told, wordingsIn } from "../../src/model/telling.ts";

const failed = phrased((phrases) => phrases.exited(3, "0.1"));
const rest = "the output, with 'exit code 3 after 0.1 s' in it";

test("what is ours is retold in either language, what is quoted stays as it is", () => {
  for (const language of ["en", "ja"] as const) {
    const said = told(language, [failed, rest], "\n");

    expect(retold("en", said)).toBe(`exit code 3 after 0.1 s\n${rest}`);
    expect(retold("ja", said)).toBe(`終了コード 3（0.1 秒）\n${rest}`);
    expect(retoldInAll(said)).toEqual({ en: retold("en", said), ja: retold("ja", said) });
  }
});

test("a text of which nothing is ours has no wordings, and is told as it is", () => {
  expect(told("ja", [rest, { en: rest, ja: rest }], " ")).toEqual({ text: `${rest} ${rest}` });
  expect(retold("ja", { text: rest })).toBe(rest);
});

test("sentences that are alike are each retold once, in their order", () => {
  const said = told("en", [failed, failed], "; ");

  expect(retold("ja", said)).toBe("終了コード 3（0.1 秒）; 終了コード 3（0.1 秒）");
});

test("a long quotation is kept once", () => {
  const output = "0123456789".repeat(30);
  const { wordings } = wordingsIn([{ en: `it said: ${output}`, ja: `出力は ${output}` }]);

  expect(wordings).toEqual([{ en: "it said:", ja: "出力は" }]);
  expect(retold("ja", { text: `it said: ${output}`, wordings })).toBe(`出力は ${output}`);
});

test("the mark of what was cut is ours wherever it stands", () => {
  expect(retold("ja", { text: "[… cut …]\nend" })).toBe("［… 省略 …］\nend");
  expect(retold("en", { text: "［… 省略 …］" })).toBe("[… cut …]");
  expect(retold("ja", { text: "[… cut …]\na\n[… cut …]\nb" })).toBe("［… 省略 …］\na\n［… 省略 …］\nb");
});

test("signs that mean something in a replacement stay what they are", () => {
  const said = told("en", [{ en: "no $& here", ja: "$& なし" }], "");

  expect(retold("ja", said)).toBe("$& なし");
});
