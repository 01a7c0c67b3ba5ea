// The page of all error codes, made of the sentences that users read.

const WORDS = {
  en: {
    title: "Error codes",
    intro:
      "Every error has a code. `--json` and the library name it (`error_code`); here is what each one says, and what to do. `{…}` stands for a value. This page is made of the program's own texts by `node scripts/docs/write-errors.mjs`.",
    cure: "What to do",
  },
  ja: {
    title: "エラーコード",
    intro:
      "どのエラーにもコードがあります。`--json` とライブラリーはコードを示します（`error_code`）。それぞれの文章と対処は次のとおりです。`{…}` は値を表します。このページは `node scripts/docs/write-errors.mjs` がプログラムの文章から作ります。",
    cure: "対処",
  },
};

/** `errors`: the sentences of one language, by code. */
export function errorsPage(errors, language) {
  const { title, intro, cure } = WORDS[language];
  const sections = Object.keys(errors)
    .sort()
    .map((code) => {
      const said = variantsOf(code).map((params) => {
        const [cause, hint] = saidWith(errors[code], params);
        return `${quoted(cause)}\n\n**${cure}**: ${asText(hint)}\n`;
      });
      return `## ${code}\n\n${said.join("\n")}`;
    });
  return `# ${title}\n\n${intro}\n\n${sections.join("\n")}`;
}

/** Errors whose sentences are chosen by a value: each choice is shown. */
const CHOICES = { dashboard_refused: { why: ["host", "origin", "login", "read_only"] } };

function variantsOf(code) {
  const choices = Object.entries(CHOICES[code] ?? {}).flatMap(([name, values]) =>
    values.map((one) => ({ [name]: one })),
  );
  return choices.length > 0 ? choices : [valueNamed("")];
}

function saidWith(text, params) {
  return typeof text === "function" ? text(params, String) : text;
}

function quoted(text) {
  return text
    .split("\n")
    .map((line) => `> ${asText(line)}`.trimEnd())
    .join("\n");
}

/** The sentences are plain text, and must not be read as Markdown; what stands in backticks is code already. */
function asText(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replace(/[\\*_<>[\]|#]/g, (sign) => `\\${sign}`)))
    .join("");
}

/** Stands for any value of an error: in a sentence it is its own name in braces, and a list of it has one entry. */
function valueNamed(name) {
  const text = `{${name}}`;
  const ways = {
    [Symbol.toPrimitive]: () => text,
    [Symbol.iterator]: () => [valueNamed(name)][Symbol.iterator](),
    toString: () => text,
    toJSON: () => text,
    join: () => text,
    map: () => [text],
    flatMap: () => [text],
    filter: () => valueNamed(name),
    slice: () => valueNamed(name),
    length: 1,
  };
  return new Proxy(() => {}, {
    get: (_, key) => {
      if (Object.hasOwn(ways, key)) return ways[key];
      if (typeof String.prototype[key] === "function") return String.prototype[key].bind(text);
      return valueNamed(String(key));
    },
  });
}
