import MiniSearch from "minisearch";
import type { Knowledge } from "../../model/roles.ts";
import { byWorth } from "./knowledge-merge.ts";
import { isWord, searchTerms } from "./search-terms.ts";

/** The entries that have most to do with the text, filled up to `size` with the worthiest of the others. */
export function mostRelevant(entries: readonly Knowledge[], text: string, size: number): Knowledge[] {
  return ranked(entries, text)
    .slice(0, size)
    .map(({ entry }) => entry);
}

/** Only the entries that have anything to do with the text, best first. */
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

/** To look for words that are nearly the same takes much longer than for the same, and a task may be a book. */
const MOST_NEAR_MISSES = 100;
