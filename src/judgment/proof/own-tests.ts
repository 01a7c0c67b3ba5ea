import { isTest } from "./file-kinds.ts";
import { isComparedManifest } from "./manifests.ts";

/** Whether the text of a changed file decides about its change: a manifest, a new test, or a source that may hold its own tests. */
export function isCompared(path: string): boolean {
  return isComparedManifest(path) || isTest(path) || OWN_TESTS.test(path);
}

const OWN_TESTS = /\.(rs|py|[cm]?[jt]sx?)$/;

/** Where the tests of a source file begin: Rust's module of tests, vitest's tests in the source. They reach to its end. */
const TESTS_BEGIN = /^\s*(#\[cfg\(test\)\]|if \(import\.meta\.vitest\))/m;
const DISABLED = /#\[(ignore|should_panic)/g;

/** Whether tests that a source file holds are gone or changed. Further ones are welcome. */
export function losesOwnTests(before: string | undefined, now: string | undefined, usesDoctests: boolean): boolean {
  if (before === undefined || now === undefined) return false;
  const doctests = usesDoctests && !isWithin(doctestsIn(before), doctestsIn(now));
  return doctests || !isWithin(testsIn(before), testsIn(now)) || count(now, DISABLED) > count(before, DISABLED);
}

function testsIn(text: string): string[] {
  const begin = TESTS_BEGIN.exec(text)?.index;
  return begin === undefined ? [] : linesOf(text.slice(begin));
}

/** Prompts of an interactive Python, and what they print. */
function doctestsIn(text: string): string[] {
  const found = text.matchAll(/^[ \t]*>>> .*\n(?:[ \t]*(?!"""|''').+\n)*/gm);
  return [...found].flatMap(([example]) => linesOf(example));
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Whether all lines are there, in their order. */
function isWithin(lines: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  for (const line of text) if (line === lines[at]) at += 1;
  return at === lines.length;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Statements by which a new test file decides about other tests: it ends the runner, keeps others from running, or changes assertions. */
const HIJACKING = new RegExp(
  [
    String.raw`^(process\.(exit|reallyExit)|os\._exit|sys\.exit|exit|quit)\(`,
    String.raw`^func TestMain\(`,
    String.raw`^\s*(test|it|describe|suite|context)\.only\(`,
    String.raw`^(assert|expect|chai|unittest|pytest|builtins|Assert|[A-Za-z_.]+\.prototype)(\.\w+)+ *=[^=]`,
    String.raw`^(setattr|Object\.(assign|defineProperty))\((assert|expect|unittest|pytest|builtins|globalThis)`,
  ].join("|"),
  "m",
);

export function hijacksTests(text: string | undefined): boolean {
  return text !== undefined && HIJACKING.test(text);
}
