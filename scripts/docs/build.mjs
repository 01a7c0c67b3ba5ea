// `npm run docs`: makes the documentation site in site/, out of docs/ and the READMEs. Plain files: any web server, or a folder, will do.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import { rolldown } from "rolldown";
import { rendered } from "./markdown.mjs";
import { groupsOf, LANGUAGES } from "./pages.mjs";
import { SEARCH_OPTIONS } from "./search-options.mjs";
import { shell } from "./shell.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OURS = fileURLToPath(new URL("./", import.meta.url));
const HOMES = { en: "README.md", ja: "README.ja.md" };

/** Returns the addresses of all pages that were written. */
export async function buildSite(folder) {
  rmSync(folder, { recursive: true, force: true });
  const isThere = (page) => existsSync(join(ROOT, "docs", `${page}.md`));
  const written = [];
  for (const language of LANGUAGES) {
    const pages = pagesOf(language, isThere);
    const groups = groupsOf(language, isThere);
    const sections = [];
    for (const { file, address } of pages) {
      const text = readFileSync(join(ROOT, file), "utf8");
      const pageOf = (target) => addressFrom(address, target, pages);
      const page = rendered(text, { path: file, pageOf });
      for (const { id, title, text: words } of page.sections)
        sections.push({ id: `${address}#${id}`, page: page.title, title, text: words.slice(0, 5_000) });
      put(folder, address, shell({ ...page, language, address, groups, titleOf, relativeTo }));
      written.push(address);
    }
    const index = new MiniSearch(SEARCH_OPTIONS);
    index.addAll(sections);
    put(folder, `search-${language}.json`, JSON.stringify(index));
  }
  for (const name of readdirSync(join(ROOT, "docs")))
    if (name.endsWith(".svg")) copy(join(ROOT, "docs", name), join(folder, name));
  for (const name of readdirSync(join(ROOT, "docs/ja")))
    if (name.endsWith(".svg")) copy(join(ROOT, "docs/ja", name), join(folder, "ja", name));
  copy(join(OURS, "site.css"), join(folder, "site.css"));
  await bundleClient(folder);
  return written;
}

/** The Markdown files of a language, and where each is on the site. */
function pagesOf(language, isThere) {
  const home = { file: HOMES[language], address: language === "en" ? "index.html" : `${language}/index.html` };
  const others = groupsOf(language, isThere).flatMap(({ pages }) =>
    pages.map(({ page, path }) => {
      const address = language === "en" ? `${page}.html` : `${language}/${page}.html`;
      return { file: `docs/${path}.md`, address };
    }),
  );
  return [home, ...others];
}

/** A file of another language is on the site, too. */
function addressFrom(address, target, pages) {
  const isOf = (language) =>
    target === HOMES[language] ? (language === "en" ? "index.html" : `${language}/index.html`) : undefined;
  const [, image] = /^docs\/((?:ja\/)?[\w-]+\.svg)$/.exec(target) ?? [];
  const [, page] = /^docs\/((?:ja\/)?[\w-]+)\.md$/.exec(target) ?? [];
  const own = pages.find(({ file }) => file === target)?.address;
  const other = page && existsSync(join(ROOT, `docs/${page}.md`)) && page !== "ja/words" ? `${page}.html` : undefined;
  const found = image ?? own ?? isOf("en") ?? isOf("ja") ?? other;
  return found && relativeTo(address, found);
}

function relativeTo(from, to) {
  return posix.relative(posix.dirname(from), to);
}

function titleOf(path) {
  const [, title = basename(path)] = /^# (.+)$/m.exec(readFileSync(join(ROOT, "docs", `${path}.md`), "utf8")) ?? [];
  return title.replaceAll("`", "");
}

function put(folder, address, text) {
  const path = join(folder, address);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

async function bundleClient(folder) {
  const bundle = await rolldown({ input: join(OURS, "search-client.mjs"), platform: "browser" });
  await bundle.write({ file: join(folder, "search.js"), format: "esm", minify: true });
  await bundle.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(ROOT, "site");
  const written = await buildSite(folder);
  process.stdout.write(`${written.length} pages in ${relative(process.cwd(), folder)}/\n`);
}
