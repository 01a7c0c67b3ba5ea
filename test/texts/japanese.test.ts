import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { awkwardLines, japaneseLines, wordsNotUsed } from "../support/prose.ts";

const ROOT = new URL("../../", import.meta.url);

const SPOKEN = [
  ...filesIn("src/texts/"),
  ...filesIn("templates/agents/ja/"),
  "dashboard/texts/ja.ts",
  "dashboard/texts/ja-parts.ts",
  "templates/task/ja.yaml.template",
  "src/connection/agents/scripted/model/demo-words.ts",
];

test.each(SPOKEN)("the Japanese of %s is polite, has full-width punctuation, and calls a thing by one name", (path) => {
  const lines = readFileSync(new URL(path, ROOT), "utf8").split("\n").map(asSaid);

  expect(awkwardLines(lines.join("\n"))).toEqual([]);
  expect(japaneseLines(lines.join("\n")).filter((line) => PLAIN_AT_END.test(line))).toEqual([]);
});

describe("a line is caught", () => {
  test.each([
    ["for half-width punctuation", "理由: 失敗しました", "理由：失敗しました"],
    ["for half-width brackets", "完了しました (3 秒)", "完了しました（3 秒）"],
    ["for a comma", "警告です, 確認してください", "警告です、確認してください"],
    ["for a plain ending", "記録を残した。", "記録を残しました。"],
    ["for である", "これは台本である。", "これは台本です。"],
    ["for the second word of a thing", "シナリオを再生します。", "台本を再生します。"],
  ])("%s", (_, wrong, right) => {
    expect(awkwardLines(wrong)).toEqual([wrong]);
    expect(awkwardLines(right)).toEqual([]);
  });

  test("unless it quotes or is code", () => {
    const quoted = "判定：「これは基準である。」 `echo 終わった: done` を実行しました。";
    expect(awkwardLines(quoted)).toEqual([]);
  });
});

test("the words that are not used are many enough to be the table's", () => {
  expect(wordsNotUsed().length).toBeGreaterThan(40);
  expect(wordsNotUsed()).toContain("シナリオ");
});

/** The end of a text in our sources. */
const PLAIN_AT_END = /(?:である|(?<![でま])した|(?<!と)する|ている|った)["`],?$/;

/** A line of source as it would be said: without holes, and with code as code. */
function asSaid(line: string): string {
  const code = line
    .replace(/^\s*\w+: \{/, "")
    .replaceAll(/\\`[^`]*\\`/g, "·")
    .replaceAll(/\$\{[^{}]*\}/g, "·");
  return code.replaceAll(/`/g, " ").replaceAll(/"/g, " ");
}

function filesIn(folder: string): string[] {
  const names = readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.\w+$/.test(name)).map((name) => `${folder}${name.replaceAll("\\", "/")}`);
}
