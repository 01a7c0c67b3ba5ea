import { posix } from "node:path";
import highlight from "highlight.js/lib/common";
import MarkdownIt from "markdown-it";

const REPOSITORY = "https://github.com/endless8/endless8/blob/main/";

/**
 * One page of the documentation: its HTML, and its sections for the search. `path`: of the file in the repository. `pageOf`: the site's
 * address of a Markdown file, if it is on the site.
 */
export function rendered(text, { path, pageOf }) {
  const markdown = new MarkdownIt({ html: false, linkify: false, highlight: coloured });
  markdown.renderer.rules.softbreak = lineEnd;
  const sections = [];
  const known = new Map();
  markdown.core.ruler.push("site", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type === "heading_open") {
        const title = tokens[index + 1].children
          .filter(({ type }) => type !== "image")
          .map(({ content }) => content)
          .join("");
        const id = unique(slug(title), known);
        token.attrSet("id", id);
        sections.push({ id, title, text: "", level: Number(token.tag.slice(1)) });
      }
      if (token.type === "inline") linked(token.children, { path, pageOf });
      const last = sections.at(-1);
      if (last && (token.type === "inline" || token.type === "fence")) last.text += ` ${token.content}`;
    }
  });
  const html = markdown.render(text.replaceAll(/<!--[\s\S]*?-->/g, ""));
  return { html, sections, title: sections[0]?.title ?? path };
}

/** In Japanese a line ends anywhere; a space there would be seen. Beside a Latin word it belongs there. */
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
const WIDE_MARK = /[\u3000-\u303f\uff00-\uffef]/u;

function lineEnd(tokens, index) {
  const before = [...textsOf(tokens.slice(0, index))].at(-1) ?? "";
  const [after = ""] = textsOf(tokens.slice(index + 1));
  const isWithin = JAPANESE.test(before) && JAPANESE.test(after);
  return isWithin || WIDE_MARK.test(before) || WIDE_MARK.test(after) ? "" : "\n";
}

function textsOf(tokens) {
  return tokens.map(({ content }) => content).join("");
}

/** Without a language that we know, the text as it is. */
function coloured(code, language) {
  return highlight.getLanguage(language) ? highlight.highlight(code, { language }).value : "";
}

/** As GitHub makes anchors of headings. */
export function slug(title) {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function unique(id, known) {
  const count = known.get(id) ?? 0;
  known.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

function linked(tokens, { path, pageOf }) {
  for (const token of tokens ?? []) {
    const name = token.type === "link_open" ? "href" : token.type === "image" ? "src" : undefined;
    const target = name && token.attrGet(name);
    if (!target || /^(\w+:|#)/.test(target)) continue;
    const [file = "", anchor] = target.split("#");
    const found = posix.join(posix.dirname(path), file);
    const page = pageOf(found);
    token.attrSet(name, `${page ?? `${REPOSITORY}${found}`}${anchor === undefined ? "" : `#${anchor}`}`);
  }
}
