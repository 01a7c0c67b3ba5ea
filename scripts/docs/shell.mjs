const WORDS = {
  en: { search: "Search ( / )", none: "Nothing found", other: "日本語", pages: "Pages", skip: "Skip to the text" },
  ja: { search: "検索（/）", none: "見つかりません", other: "English", pages: "ページ", skip: "本文へ移動" },
};

/** A whole page around its HTML. No inline script: a policy may forbid them. */
export function shell({ html, title, language, address, groups, titleOf, relativeTo }) {
  const words = WORDS[language];
  const to = (target) => relativeTo(address, target);
  const root = relativeTo(address, "index.html").replace(/index\.html$/, "");
  const addressOf = (page) => (language === "en" ? `${page}.html` : `${language}/${page}.html`);
  const other = language === "en" ? `ja/${address}` : address.replace(/^ja\//, "");
  const entry = ({ page, path }) => {
    const isHere = addressOf(page) === address;
    return `<li><a href="${to(addressOf(page))}"${isHere ? ' aria-current="page"' : ""}>${escaped(titleOf(path))}</a></li>`;
  };
  const group = ({ name, pages }) => `<h2>${escaped(name)}</h2><ul>${pages.map(entry).join("")}</ul>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' https: data:">
<title>${escaped(title)} · endless8</title>
<link rel="stylesheet" href="${root}site.css">
<script type="module" src="${root}search.js"></script>
</head>
<body>
<a class="skip" href="#text">${words.skip}</a>
<header>
<a class="to-pages" href="#pages" aria-label="${words.pages}">☰</a>
<a class="home" href="${to(language === "en" ? "index.html" : "ja/index.html")}"><svg viewBox="0 0 32 20" aria-hidden="true"><path d="M9.5 15a5 5 0 1 1 0-10c5 0 8 10 13 10a5 5 0 1 0 0-10c-5 0-8 10-13 10z"/></svg><span>endless<b>8</b></span></a>
<search><input id="search" type="search" placeholder="${words.search}" aria-label="${words.search}" data-root="${root}" data-index="search-${language}.json" data-none="${words.none}"><ul id="found" hidden></ul></search>
<a href="${to(other)}" hreflang="${language === "en" ? "ja" : "en"}">${words.other}</a>
</header>
<div class="columns">
<nav id="pages" aria-label="${words.pages}">${groups.map(group).join("")}</nav>
<main id="text">
${html}
</main>
</div>
</body>
</html>
`;
}

function escaped(text) {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
