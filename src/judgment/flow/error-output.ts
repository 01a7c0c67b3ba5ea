/** Parsers of the output of compilers, linters and test runners. They look for the usual forms and return lines. */

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

const FAILED_TEST = [
  /^\s*FAIL\s+(\S.*)$/, // vitest, jest
  /^\s*[●✕×✗✖]\s+(.+?)(?:\s+\(?\d+(?:\.\d+)?\s?m?s\)?)?$/, // jest, vitest, mocha, node
  /^\s*not ok \d+ (?:- )?(.+)$/, // TAP
  /^(?:FAILED|ERROR) (\S+::.+)$/, // pytest
  /^\s*--- FAIL: (\S+)/, // go
  /^test (\S+) \.\.\. FAILED$/, // cargo
  /^(.+?) \.\.\. (?:.*\s)?FAILED\b/, // deno
];

const TYPE_ERROR = [
  /^.+?\(\d+,\d+\): error TS\d+: .+$/, // tsc
  /^.+?:\d+:\d+ - error TS\d+: .+$/, // tsc --pretty
  /^TS\d+ \[ERROR\]: .+$/, // deno
  /^.+?:\d+(?::\d+)?: error: .+$/, // mypy, clang, gcc
  /^error(?:\[E\d+\])?: .+$/, // rustc
  /^\S+\.go:\d+:\d+: .+$/, // go
];

const LINT_LINE = [
  /^\S.*?:\d+:\d+: .+$/, // unix style: ruff, flake8, eslint -f unix
  /^\S.*?:\d+:\d+ lint\/\S+.*$/, // biome
  /^\s*error\[[\w-]+\]: .+$/, // deno
];
const STYLISH_FILE = /^(?:\/|\.{0,2}\/|[A-Za-z]:\\)?[^\s:][^:]*\.\w+$/;
const STYLISH_FINDING = /^\s+(\d+:\d+)\s+(error|warning)\s+(.+)$/;

const UNFORMATTED = [
  /^\[warn\] (\S.*\.\w+)$/, // prettier
  /^would reformat (.+)$/, // black
  /^from (?:file:\/\/)?(\S.*):$/, // deno
  /^(\S+) format ━+/, // biome
  /^(\S+\.\w+)$/, // gofmt -l, prettier -l
];

const MENTIONED_FILE = /(?:^|[\s("'[])(?:file:\/\/)?((?:[A-Za-z]:)?[^\s:()"'[\]]+\.[A-Za-z]\w*)(?=[:(]\d|:$|$)/gm;

export function parseTestFailures(output: string): string[] {
  return found(output, FAILED_TEST);
}

export function parseTypeErrors(output: string): string[] {
  return found(output, TYPE_ERROR);
}

/** eslint names a file once, above its findings: each finding gets the name. */
export function parseLintErrors(output: string): string[] {
  let file = "";
  const findings = linesOf(output).flatMap((line) => {
    if (STYLISH_FILE.test(line)) file = line;
    const [, place, severity, text] = STYLISH_FINDING.exec(line) ?? [];
    if (place && severity && text) return [`${file}:${place} ${severity} ${text.replace(/\s{2,}/g, " ")}`];
    return LINT_LINE.some((form) => form.test(line)) ? [line.trim()] : [];
  });
  return [...new Set(findings)];
}

/** Every line that mentions an error. */
export function parseErrors(output: string): string[] {
  const lines = linesOf(output).filter((line) => /\b(errors?|failed|failure|exception|panic)\b|Error:/i.test(line));
  return [...new Set(lines.map((line) => line.trim()))];
}

/** The files that a formatter would change. */
export function parseFormatOutput(output: string): string[] {
  return found(output, UNFORMATTED);
}

/** Files that are named with a line number, or at a line's end. */
export function parseFiles(output: string): string[] {
  const names = [...linesOf(output).join("\n").matchAll(MENTIONED_FILE)].map(([, name]) => name ?? "");
  return [...new Set(names)].filter((name) => name !== "");
}

/** From the first line of a diff on; all of it where there is none. */
export function parseDiff(output: string): string {
  const start = output.search(/^(?:diff --git |--- |@@ |from )/m);
  return output.slice(Math.max(start, 0)).trim();
}

/** Each line that has one of the forms: the part the form marks, or the whole line. */
function found(output: string, forms: readonly RegExp[]): string[] {
  const matches = linesOf(output).flatMap((line) => {
    const match = forms.map((form) => form.exec(line)).find((one) => one !== null);
    return match ? [(match[1] ?? match[0]).trim()] : [];
  });
  return [...new Set(matches)];
}

const LONGEST_LINE = 1_000;

function linesOf(output: string): string[] {
  return output
    .replace(COLOURS, "")
    .split(/\r?\n/)
    .map((line) => line.slice(0, LONGEST_LINE));
}
