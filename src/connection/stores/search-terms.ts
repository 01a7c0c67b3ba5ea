/**
 * What a text is found by: its words, and for Japanese, Chinese and Korean, which do not put spaces between words or glue
 * particles to them, every pair of neighbouring characters.
 */
export function searchTerms(text: string): string[] {
  const runs = text.normalize("NFKC").toLowerCase().match(RUN) ?? [];
  return runs.flatMap((run) => (PAIRED.test(run) ? pairs(run) : [run])).filter((term) => !STOP_WORDS.has(term));
}

/** Whether a term is a word, of which a part or a near miss still tells something. */
export function isWord(term: string): boolean {
  return !PAIRED.test(term);
}

const PAIRED_LETTERS = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー";
const PAIRED = new RegExp(`[${PAIRED_LETTERS}]`, "u");
const RUN = new RegExp(`[${PAIRED_LETTERS}]+|(?:(?![${PAIRED_LETTERS}])[\\p{L}\\p{N}\\p{M}])+`, "gu");

/** Words that stand in nearly every sentence and would make everything match everything. */
const STOP_WORDS = new Set(
  "a an and are as at be by for from has have in is it its not of on or that the this to was were will with".split(" "),
);

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
