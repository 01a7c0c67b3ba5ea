/** How pages are indexed and searched: Japanese has no spaces, so its words are pairs of letters. */
export const SEARCH_OPTIONS = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  tokenize: (text) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap(parts)
      .filter(Boolean),
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 }, combineWith: "AND" },
};

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]+/gu;

function parts(word) {
  const own = word.split(JAPANESE);
  const pairs = [...word.matchAll(JAPANESE)].flatMap(([run]) => {
    const letters = [...run];
    return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
  });
  return [...own, ...pairs];
}
