import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import MiniSearch, { type Options } from "minisearch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const script = (name: string) => import(new URL(`../../scripts/docs/${name}.mjs`, import.meta.url).href);
const { buildSite } = (await script("build")) as { buildSite: (folder: string) => Promise<string[]> };
const { rendered } = (await script("markdown")) as {
  rendered: (text: string, place: { path: string; pageOf: () => undefined }) => { html: string };
};
const { NOT_ON_THE_SITE } = (await script("pages")) as { NOT_ON_THE_SITE: string[] };
const { SEARCH_OPTIONS } = (await script("search-options")) as { SEARCH_OPTIONS: Options };
const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));

let folder: string;
let pages: string[];
const read = (address: string) => readFileSync(join(folder, address), "utf8");

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "e8-site-")), "site");
  pages = await buildSite(folder);
});
afterAll(() => rm(dirname(folder), { recursive: true }));

describe("the documentation site", () => {
  test("has a page for each file of docs/, in both languages, and a home", () => {
    const files = [...names(DOCS), ...names(join(DOCS, "ja")).map((name) => `ja/${name}`)];
    const wanted = files.filter((name) => !NOT_ON_THE_SITE.includes(name)).map((name) => `${name}.html`);

    expect(pages).toEqual(expect.arrayContaining([...wanted, "index.html", "ja/index.html"]));
    expect(
      pages
        .filter((page) => !page.startsWith("ja/"))
        .map((page) => `ja/${page}`)
        .filter((page) => !pages.includes(page)),
    ).toEqual([]);
  });

  test("has no link that leads nowhere: neither to a page, nor to a place on one, nor to a file of the repository", () => {
    const dead = pages.flatMap((page) =>
      targetsIn(read(page))
        .filter((target) => !leadsSomewhere(page, target))
        .map((target) => `${page}: ${target}`),
    );

    expect(dead).toEqual([]);
  });

  test("loads nothing from elsewhere, and has no script in a page", () => {
    for (const page of pages) {
      expect(read(page)).not.toMatch(/<(script|link|img)[^>]+(src|href)="(https?:)?\/\//);
      expect(read(page)).not.toMatch(/<script[^>]*>[^<]/);
    }
  });

  test("joins lines of Japanese without a space, and keeps the one beside a Latin word", () => {
    const { html } = rendered("その後に\nあなたの\nClaude Code が、\nAPI を使います。", {
      path: "docs/ja/x.md",
      pageOf: () => undefined,
    });

    expect(html.trim()).toBe("<p>その後にあなたの\nClaude Code が、API を使います。</p>");
  });

  test("colours code, and leaves what it does not know as it is", () => {
    const { html } = rendered("```js\nconst a = 1 < 2;\n```\n\n```\na < b\n```\n", {
      path: "docs/x.md",
      pageOf: () => undefined,
    });

    expect(html).toContain('<span class="hljs-keyword">const</span>');
    expect(html).toContain("a &lt; b");
  });

  test.each([
    ["en", "sandbox strict", "task-file.html#"],
    ["en", "task_ambiguous", "errors.html#task_ambiguous"],
    ["ja", "完了条件", "ja/task-file.html#"],
    ["ja", "プルリクエスト", "ja/github-action.html#"],
  ])("finds in %s what is meant by %s", (language, words, place) => {
    const index = MiniSearch.loadJSON(read(`search-${language}.json`), SEARCH_OPTIONS);

    expect(
      index
        .search(words)
        .map(({ id }) => String(id))
        .join(" "),
    ).toContain(place);
  });
});

function names(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => /^(.*)\.md$/.exec(name)?.[1] ?? []);
}

function targetsIn(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = ""]) => target.replaceAll("&amp;", "&"));
}

const REPOSITORY = "https://github.com/endless8/endless8/blob/main/";

function leadsSomewhere(page: string, target: string): boolean {
  if (target.startsWith(REPOSITORY))
    return isThere(join(DOCS, "..", target.slice(REPOSITORY.length).split("#")[0] ?? ""));
  if (/^\w+:/.test(target)) return true; // elsewhere
  const [file = "", anchor] = target.split("#");
  const address = file === "" ? page : posix.join(dirname(page), file);
  if (!isThere(join(folder, address))) return false;
  return anchor === undefined || anchor === "" || read(address).includes(`id="${decodeURIComponent(anchor)}"`);
}

function isThere(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR";
  }
}
