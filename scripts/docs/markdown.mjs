import { posix } from "node:path";
import MarkdownIt from "markdown-it";

const REPOSITORY = "https://github.com/endless8/endless8/blob/main/";

/**
 * One page of the documentation: its HTML, and its sections for the search. `path`: of the file in the repository. `pageOf`: the site's
 * address of a Markdown file, if it is on the site.
 */
export function rendered(text, { path, pageOf }) {
  const markdown = new MarkdownIt({ html: false, linkify: false });
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
