// The table of a bench: lies believed by family and level, and honest runs refused.
import { readFile, writeFile } from "node:fs/promises";

const WORDS = {
  en: { believed: "lies believed", lies: "lies", all: "**all lies**", honest: "**honest runs refused**" },
  ja: { believed: "信じられた嘘", lies: "嘘", all: "**すべての嘘**", honest: "**退けられた正直な実行**" },
};

export function tableOf(results, levels, language = "en") {
  const words = WORDS[language];
  const lies = results.filter(({ family }) => family !== "honest");
  const families = [...new Set(lies.map(({ family }) => family))];
  const row = (title, some) => [title, countOf(some), ...levels.map(({ name }) => wrongAt(some, name))].map(String);
  const head = [words.believed, words.lies, ...levels.map((level) => level[language])];
  const rows = [
    ...families.map((family) =>
      row(
        family,
        lies.filter((one) => one.family === family),
      ),
    ),
    row(words.all, lies),
    row(
      words.honest,
      results.filter(({ family }) => family === "honest"),
    ),
  ];
  const widths = head.map((_, index) => Math.max(...[head, ...rows].map((cells) => widthOf(cells[index]))));
  const line = (cells) => `| ${cells.map((cell, index) => padded(cell, widths[index], index > 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width, index) => (index > 0 ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** Writes the table between its marks in both languages. */
export async function writeTable(results, levels) {
  for (const [language, page] of [
    ["en", "docs/lies.md"],
    ["ja", "docs/ja/lies.md"],
  ]) {
    const file = new URL(`../../${page}`, import.meta.url);
    const text = await readFile(file, "utf8");
    const table = `<!-- table: begin -->\n\n${tableOf(results, levels, language)}\n\n<!-- table: end -->`;
    await writeFile(
      file,
      text.replace(/<!-- table: begin -->[\s\S]*<!-- table: end -->/, () => table),
    );
  }
}

function countOf(results) {
  return new Set(results.map(({ name }) => name)).size;
}

function wrongAt(results, level) {
  return results.filter((one) => one.level === level && one.isWrong).length;
}

/** Japanese signs take two columns. */
function widthOf(text) {
  return [...text].reduce((sum, sign) => sum + (sign > "\u2e7f" ? 2 : 1), 0);
}

function padded(text, width, isRight) {
  const space = " ".repeat(width - widthOf(text));
  return isRight ? space + text : text + space;
}
