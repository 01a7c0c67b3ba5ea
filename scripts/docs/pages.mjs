// Which pages the site has, in their order. A page that is not named here is not on the site: test/docs/site.test.ts finds it.

const GROUPS = [
  {
    en: "Begin",
    ja: "はじめに",
    pages: ["getting-started", "task-file", "tasks", "steering", "dashboard", "comparing"],
  },
  { en: "Proof", ja: "証明", pages: ["proof", "lies"] },
  { en: "Agents", ja: "エージェント", pages: ["agents", "other-agents", "agents-tried", "scripted-model"] },
  { en: "Backlog and machines", ja: "バックログとマシン", pages: ["issues", "orchestrator", "fleet"] },
  {
    en: "Other programs",
    ja: "ほかのプログラム",
    pages: ["other-programs", "github-action", "opentelemetry", "library", "queries"],
  },
  {
    en: "Reference",
    ja: "リファレンス",
    pages: ["errors", "benchmarks", "measuring-the-intake", "requirements", "dependencies"],
  },
];

/** Written for people who write Japanese for the project. */
export const NOT_ON_THE_SITE = ["ja/words"];

/** The groups of one language; a page without a translation is shown in English. */
export function groupsOf(language, isThere) {
  return GROUPS.map(({ pages, ...names }) => ({
    name: names[language],
    pages: pages
      .filter((page) => isThere(page))
      .map((page) => {
        const isTranslated = language !== "en" && isThere(`${language}/${page}`);
        return { page, path: isTranslated ? `${language}/${page}` : page };
      }),
  }));
}

export const LANGUAGES = ["en", "ja"];
