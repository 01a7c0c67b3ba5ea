import { readFileSync } from "node:fs";

/** Letters of Japanese: kana, kanji, full-width punctuation. */
const JAPANESE = /[\u3040-\u30ff\u3400-\u9fff\u3000-\u303f\uff01-\uff60]/;

/** Names, code and quotations, which are the same in every language. */
const NAMES = [
  /`[^`]*`/g,
  /"[^"]*"/g,
  /「[^」]*」/g,
  /<[^>]*>/g,
  /\[[^\]]*\]/g,
  /\{[^}]*\}/g,
  /(?:yaml|YAML|JSON): .*$/g,
  /\be8(?: [a-z-]+)+/g,
  /\bClaude Code\b/g,
  /\bGitHub Enterprise\b/g,
  /\bdefault export\b/g,
  /\bAgent SDK\b/g,
  /\bGemini CLI\b/g,
];

/** Two words in a row, neither of them part of a path, a key, a flag or another identifier. A list of names has commas. */
const PROSE = /(?<![\w./@:!$#=-])[A-Za-z][A-Za-z']* [A-Za-z][A-Za-z']*(?![\w/=:-]|\.\w)/;

/** The lines with English in them, once names and quotations are taken out. */
export function englishLines(text: string): string[] {
  return text.split("\n").filter((line) => {
    const rest = NAMES.reduce((left, name) => left.replace(name, "·"), line);
    return PROSE.test(rest);
  });
}

export function japaneseLines(text: string): string[] {
  return text.split("\n").filter((line) => JAPANESE.test(line));
}

/** Half-width punctuation that follows Japanese. */
const HALF_WIDTH = /[\u3040-\u30ff\u3400-\u9fff\u3001\u3005\u300d\uff09](?:[,.:;!?()]| \()/;

/** A sentence that does not end in です or ます. */
export const PLAIN_ENDING = /(?:である|だ|(?<![でま])した|する|ている|った|ではない)(?=。)/;

/** What docs/ja/words.md says not to call things. */
export function wordsNotUsed(): string[] {
  const page = readFileSync(new URL("../../docs/ja/words.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:-|English)/.test(line));
  return rows.flatMap((row) => (row.split("|")[3] ?? "").trim().split("、"));
}

/** ブランチ (branch) is not ラン (run). */
const NOT_USED = new RegExp(
  wordsNotUsed()
    .join("|")
    .replace(/(?<=^|\|)ラン(?=\||$)/, "(?<!ブ)ラン"),
);

/** The lines whose Japanese breaks the rules of docs/ja/words.md, once code and quotations are taken out. */
export function awkwardLines(text: string): string[] {
  return japaneseLines(text).filter((line) => {
    const rest = [/`[^`]*`/g, /"[^"]*"/g, /「[^」]*」/g].reduce((left, quoted) => left.replace(quoted, "·"), line);
    return [HALF_WIDTH, PLAIN_ENDING, NOT_USED].some((rule) => rule.test(rest));
  });
}
