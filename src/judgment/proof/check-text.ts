/**
 * What the text of a check does with the files that it names. Only plain forms are read: whatever is not understood stays in the text,
 * and its words count as run.
 */

/** What a text says in places of `$(dirname "$0")` and the like: the folder that the script lies in, or the project. */
const HERE = /["']?\$\((?:[^()]*\b(?:dirname|pwd|rev-parse|realpath|readlink)\b[^()]*)\)["']?/g;

/** `"$(dirname "$0")/lib.sh"` as `$HERE/lib.sh`. */
export function withPlainFolders(text: string): string {
  const once = text.replace(HERE, "$HERE");
  return once === text ? text : withPlainFolders(once);
}

const SEPARATOR = /(&&|\|\||;|\n|\bthen\b|\bdo\b|\{ )/;
/** Tools that read a file and do not run it. Patterns and filters that lie in a file decide, so they are none. */
const LOOKS =
  /^\s*(?:(?:if|while|until|!)\s+)*(?:shellcheck|shfmt|(?:ba|da|z|k)?sh\s+-n|node\s+--check|[ef]?grep|rg|jq)(?=\s)(?!.*(?:\s-\w*f\b|--[\w-]*file\b|[|`]|\$\())/;

/** Without the commands that only read the files that they name: linters, `grep`. */
export function withoutReading(text: string): string {
  return text
    .split(SEPARATOR)
    .map((part) => (LOOKS.test(part) ? "" : part))
    .join(" ");
}

/** Whether a command searches or queries the file itself, so that what the file says is what is asked for. */
export function isSearched(path: string, texts: readonly string[]): boolean {
  const parts = texts.flatMap((text) => text.split(SEPARATOR)).filter((part) => LOOKS.test(part));
  return parts.some((part) => part.split(/[\s"']+/).some((word) => word.replace(/^\.\//, "") === path));
}

/** Words that say how a check came out. A program that prints them is the judge, however its output is compared. */
const VERDICT = /\b(ok|okay|pass(ed|es|ing)?|success(ful)?|succeeded|fail(ed|s|ures?)?|errors?|green|well|done)\b/i;
const COMPARISON = /\s(=|==|!=|=~|-eq|-ne|-lt|-le|-gt|-ge)\s/;
const COMPARER =
  /^\s*(?:[ef]?grep|rg|diff|cmp|comm|jq|awk|(?:node|deno|bun|ruby|perl|python[\d.]*)\s+(?:-\w\s+)*-[ecp]\b)(?!.*\s-f\b)/;
const FILTER = /^\s*(sort|uniq|tr|head|tail|sed|cut|wc|tee)\b/;

/** Longer texts are no scripts of checks: generated programs. */
const LONGEST = 30_000;

/** A text, taken apart. */
interface Asked {
  /** What decides by its own exit code. */
  judging: string;
  /** Commands whose output is compared with something else, or that must fail: what is tested. */
  asked: readonly string[];
}

/** The functions of the shell that texts define. */
export function functionsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => [...text.matchAll(/^\s*(\w+)\s*\(\)/gm)].map(([, name = ""]) => name)));
}

/**
 * Takes out what a text compares: `test "$(./add.sh 1 2)" = 3`, `./add.sh 1 2 | grep 3`, `diff <(./add.sh 1 2) expected`. `functions`: those
 * of all texts of the check, which compare what they are given.
 */
export function askedIn(text: string, functions: ReadonlySet<string>): Asked {
  const plain = text.replaceAll("\\\n", " ");
  if (plain.length > LONGEST) return { judging: text, asked: [] };
  const asked: string[] = [];
  const take = (command: string) => void asked.push(command);
  const lines = plain.split("\n").map((line) => withoutSubstitutions(line, { text: plain, functions }, take));
  const parts = lines.join("\n").split(SEPARATOR);
  const judging = parts.map((part, index) => {
    const isTested = (MUST_FAIL.test(part) && parts[index + 1] !== "&&") || isOutputCompared(part, plain);
    if (!isTested) return part;
    const [first = "", ...others] = part.split("|");
    take(first.replace(MUST_FAIL, ""));
    return others.join("|");
  });
  return { judging: judging.join(" "), asked };
}

/** A judge is not expected to fail. */
const MUST_FAIL = /^\s*!\s+/;

/** Whether the output of a command is piped into a comparison, or kept in a file that is compared. */
function isOutputCompared(part: string, text: string): boolean {
  const [, file] = /(?<![\d&])>\s*([\w./-]+)\s*$/.exec(part) ?? [];
  return (file !== undefined && isFileCompared(file, text)) || isPipedIntoComparison(part.split("|").slice(1));
}

function isPipedIntoComparison(others: readonly string[]): boolean {
  const last = others.at(-1);
  if (last === undefined || !COMPARER.test(last) || VERDICT.test(last)) return false;
  return others.slice(0, -1).every((one) => FILTER.test(one));
}

function isFileCompared(file: string, text: string): boolean {
  const name = file.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return (
    new RegExp(String.raw`(\b(diff|cmp|comm|[ef]?grep|jq)\b|\$\((cat|<))[^\n;&|]*${name}`).test(text) &&
    !VERDICT.test(text)
  );
}

const SUBSTITUTION = /[<$]\([^()]*\)|`[^`]*`/g;

interface Script {
  text: string;
  functions: ReadonlySet<string>;
}

function withoutSubstitutions(line: string, script: Script, take: (command: string) => void): string {
  return line.replace(SUBSTITUTION, (whole: string, at: number) => {
    const before = line.slice(0, at).split(SEPARATOR).at(-1) ?? "";
    const after = line.slice(at + whole.length).split(SEPARATOR)[0] ?? "";
    if (!isCompared({ before, after, sign: whole[0] }, script)) return whole;
    take(whole.replace(/^[<$]\(|^`|[)`]$/g, ""));
    return "$ASKED";
  });
}

/** Whether what a substitution prints is compared: by `test`, `case`, `diff`, a function of the check, or through a variable. */
function isCompared(
  { before, after, sign }: { before: string; after: string; sign: string | undefined },
  { text, functions }: Script,
) {
  const begun = before.replace(/^\s*((if|while|until|elif|!)\s+)*/, "");
  if (sign === "<") return /^(diff|cmp|comm)\s/.test(begun);
  if (VERDICT.test(begun) || VERDICT.test(after)) return false;
  if (/^(test|\[\[?)\s/.test(begun)) return COMPARISON.test(`${begun}X${after}`);
  const [, variable] = /^(?:(?:local|export|readonly|declare)\s+)?(\w+)=["']?$/.exec(begun) ?? [];
  if (variable !== undefined) return isVariableCompared(variable, text);
  const [word = ""] = begun.trim().split(/\s/);
  return /^case\s+["']?$/.test(begun) || functions.has(word);
}

function isVariableCompared(variable: string, text: string): boolean {
  const parts = text.split(SEPARATOR).filter((part) => new RegExp(String.raw`\$\{?${variable}\b`).test(part));
  const compared = parts.filter((part) => COMPARISON.test(part) || /\bcase\b|\|\s*[ef]?grep\b/.test(part));
  return compared.length > 0 && !compared.some((part) => VERDICT.test(part));
}

const PRODUCT_SOURCES = /["'](?:\.{1,2}\/)+(src|source|lib|app|dist|build|packages)\//;

/** The modules that a program imports from beside it, one a line, so that they are found as a command's. Product sources are none of them. */
export function importsIn(program: string): string[] {
  const local = [...program.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*(?:\(\s*)?(["']\.{1,2}\/[^"']+["'])/g)];
  const python = [...program.matchAll(/(?:^|[;'"])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+))/gm)];
  return [
    ...local.map(([, specifier = ""]) => `import ${specifier}`).filter((line) => !PRODUCT_SOURCES.test(line)),
    ...python.map(([, from, module]) => `-m ${from ?? module}`),
  ];
}
