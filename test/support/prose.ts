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
