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
];

/** Three words in a row. A list of names has commas. */
const PROSE = /(?:\b[A-Za-z][a-z']*\b ){2,}\b[a-z]+\b/;

/** The lines that are English sentences, or parts of them, once names and quotations are taken out. */
export function englishLines(text: string): string[] {
  return text.split("\n").filter((line) => {
    const rest = NAMES.reduce((left, name) => left.replace(name, "·"), line);
    return PROSE.test(rest);
  });
}

export function japaneseLines(text: string): string[] {
  return text.split("\n").filter((line) => JAPANESE.test(line));
}
