import MiniSearch from "minisearch";
import type { Knowledge } from "../../model/roles.ts";
import { byWorth } from "./knowledge.ts";

/** The entries that match the text best, filled up to `size` with the surest of the others. */
export function mostRelevant(entries: readonly Knowledge[], text: string, size: number): Knowledge[] {
  return ranked(entries, text)
    .slice(0, size)
    .map(({ entry }) => entry);
}

/** Only the entries that match the text, best first. */
export function matching(entries: readonly Knowledge[], text: string, size: number): Knowledge[] {
  return ranked(entries, text)
    .filter(({ score }) => score > 0)
    .slice(0, size)
    .map(({ entry }) => entry);
}

function ranked(entries: readonly Knowledge[], text: string): { entry: Knowledge; score: number }[] {
  if (entries.length === 0) return [];
  const scores = scoresFor(entries, text);
  const scored = entries.map((entry, index) => ({ entry, score: scores.get(index) ?? 0 }));
  return scored.sort((left, right) => right.score - left.score || byWorth(left.entry, right.entry));
}

function scoresFor(entries: readonly Knowledge[], text: string): Map<number, number> {
  const index = new MiniSearch({
    fields: ["content", "category", "example_file"],
    tokenize: searchTerms,
    processTerm: (term) => term,
    searchOptions: {
      boost: { content: 2 },
      prefix: (term) => isWord(term) && term.length > 3,
      fuzzy: (term, index) => (isWord(term) && term.length > 4 && index < MOST_NEAR_MISSES ? 0.2 : false),
    },
  });
  index.addAll(entries.map(({ content, category, example_file }, id) => ({ id, content, category, example_file })));
  const terms = [...new Set(searchTerms(text))].join(" ");
  return new Map(index.search(terms).map(({ id, score }) => [id, score]));
}

/** Fuzzy search is slow, and a task may be a book. */
const MOST_NEAR_MISSES = 100;

/**
 * The search terms of a text: its words, and every pair of neighbouring characters for Japanese, Chinese and Korean, where
 * spaces do not separate words.
 */
export function searchTerms(text: string): string[] {
  const runs = text.normalize("NFKC").toLowerCase().match(RUN) ?? [];
  return runs.flatMap((run) => (PAIRED.test(run) ? pairs(run) : [run])).filter((term) => !STOP_WORDS.has(term));
}

/** Whether prefixes and near misses of the term are useful. */
function isWord(term: string): boolean {
  return !PAIRED.test(term);
}

const PAIRED_LETTERS = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー";
const PAIRED = new RegExp(`[${PAIRED_LETTERS}]`, "u");
const RUN = new RegExp(`[${PAIRED_LETTERS}]+|(?:(?![${PAIRED_LETTERS}])[\\p{L}\\p{N}\\p{M}])+`, "gu");

/** Frequent words, which would match everything. */
const STOP_WORDS = new Set(
  "a an and are as at be by for from has have in is it its not of on or that the this to was were will with".split(" "),
);

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
