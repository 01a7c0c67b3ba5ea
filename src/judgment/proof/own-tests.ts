import { isTest } from "./file-kinds.ts";
import { isComparedManifest } from "./manifests.ts";

/** Whether the text of a changed file decides about its change: a manifest, a new test, a source that may hold its own tests, a program, or a part of a makefile. */
export function isCompared(path: string): boolean {
  return isComparedManifest(path) || isTest(path) || isSource(path) || /\.(md|rst|txt|d|mk|make|dep|inc)$/.test(path);
}

/** Also texts in which comments may keep a tool quiet. */
export function isSource(path: string): boolean {
  return isCode(path) || /\.(css|scss|less|ya?ml|html|md)$|(^|\/)Dockerfile[^/]*$/.test(path);
}

/** A program, or a source that is compiled with its tests. */
export function isCode(path: string): boolean {
  return isProgram(path) || /\.([ch]|cc|cpp|cxx|hh|hpp)$/.test(path);
}

export function isProgram(path: string): boolean {
  return /\.(rs|py|[cm]?[jt]sx?|go|rb|php|pl|lua|(ba|z|da|k)?sh|vue|svelte)$/.test(path);
}

/** Which tests in source files the checks run, besides those that say so themselves. */
export interface Doctests {
  /** Examples in texts and in documented Python. */
  python: boolean;
  /** Examples in documented Rust. */
  rust: boolean;
}

const DISABLED = /#\[(ignore|should_panic)/g;

/** Whether tests that a file holds are gone or changed. Further ones are welcome. `now`: undefined where it cannot be read as a text any more. */
export function losesOwnTests(before: string, now: string | undefined, path: string, doctests: Doctests): boolean {
  const found = (text: string) => testsIn(text, path, doctests);
  const tests = found(before);
  if (now === undefined) return tests.length > 0;
  return !isWithin(tests, found(now)) || count(now, DISABLED) > count(before, DISABLED);
}

function testsIn(text: string, path: string, doctests: Doctests): string[] {
  const isRust = path.endsWith(".rs");
  const own = isRust ? [...rustTestsIn(text), ...(doctests.rust ? rustExamplesIn(text) : [])] : wholeTestsIn(text);
  return doctests.python && !isRust ? [...own, ...doctestsIn(text)] : own;
}

/** Tests in a file that has a name as any other, or vitest's tests in the source. They reach to its end. */
function wholeTestsIn(text: string): string[] {
  if (holdsTests(text)) return linesOf(text);
  const begin = /^\s*if \(import\.meta\.vitest\)/m.exec(text)?.index;
  return begin === undefined ? [] : linesOf(text.slice(begin));
}

const FRAMEWORKS = String.raw`(node:test|vitest|@jest\/globals|mocha|ava|tap|tape|uvu|qunit|@playwright\/test|bun:test)`;
const USES_FRAMEWORK = new RegExp(String.raw`^\s*(import|export|const|var)\b.*["']${FRAMEWORKS}["']`, "m");
const CALLS_FRAMEWORK = /^(await )?(test|it|describe|suite)(\.\w+)*\(/m;
const PYTHON_TESTS = /^(import|from) (unittest|pytest)\b[\s\S]*^(class \w+\(.*TestCase\)|(async )?def test_)/m;

/** Whether a file holds tests, whatever it is called. */
function holdsTests(text: string): boolean {
  return (USES_FRAMEWORK.test(text) && CALLS_FRAMEWORK.test(text)) || PYTHON_TESTS.test(text);
}

const RUST_TEST = /^#\[(\w+::)*(test|rstest|test_case|bench)\b/;

/** From `#[cfg(test)]` to the end of the file, and before it each test function. */
function rustTestsIn(text: string): string[] {
  const begin = /^\s*#\[cfg\(test\)\]/m.exec(text)?.index ?? text.length;
  return [...testFunctionsIn(text.slice(0, begin).split("\n")), ...linesOf(text.slice(begin))];
}

function testFunctionsIn(lines: readonly string[]): string[] {
  const found: string[] = [];
  let indent: string | undefined;
  for (const line of lines) {
    if (indent === undefined && RUST_TEST.test(line.trim())) indent = line.slice(0, line.indexOf("#"));
    if (indent === undefined) continue;
    if (line.trim() !== "") found.push(line.trim());
    if (line.startsWith(`${indent}}`) || /\{.*\}\s*$/.test(line)) indent = undefined;
  }
  return found;
}

/** Examples in Rust's documentation that are run: fences without a word that keeps them from it. */
function rustExamplesIn(text: string): string[] {
  const found: string[] = [];
  let fence: "run" | "other" | undefined;
  for (const line of linesOf(text)) {
    const [, words] = /^\/\/[/!]\s*```(.*)$/.exec(line) ?? [];
    if (words !== undefined) {
      const isRun = !/\b(ignore|no_run|compile_fail|text|txt|sh|bash|toml|json|console|plain)\b/.test(words);
      fence = fence === undefined ? (isRun ? "run" : "other") : undefined;
    } else if (fence === "run") found.push(line);
  }
  return found;
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

export function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
