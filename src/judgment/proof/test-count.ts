import type { Evaluation } from "../../model/evaluation.ts";

/** What test runners print at their end whether tests pass or fail, and how many tests that means: skipped ones do not count. */
const SUMMARIES: readonly { line: RegExp; tests: (found: RegExpMatchArray) => number }[] = [
  { line: /^(?:#|ℹ) tests (\d+)$[\s\S]*?^(?:#|ℹ) skipped (\d+)$\n(?:#|ℹ) todo (\d+)$/gm, tests: firstWithout }, // node
  { line: /^ *Tests:? +(.*\b(?:passed|failed)\b.*)$/gm, tests: named("passed", "failed") }, // jest, vitest
  { line: /^ *(\d+ passing)\b.*\n*(?: *\d+ pending\n)?( *\d+ failing)?/gm, tests: named("passing", "failing") }, // mocha
  { line: /^=* ?((?:\d+ \w+(?:, )?)+) in [\d.]+s/gm, tests: named("passed", "failed", "xpassed") }, // pytest
  { line: /^Ran (\d+) tests? in [\s\S]*?(?:skipped=(\d+)|\n\n|$(?![\s\S]))/gm, tests: firstWithout }, // unittest
  { line: /^test result: \w+\. (\d+ passed; \d+ failed)/gm, tests: named("passed", "failed") }, // cargo
  { line: /^(\d+) examples?, \d+ failures?(?:, (\d+) pending)?/gm, tests: firstWithout }, // rspec
  { line: /^\d+% tests passed, \d+ tests? failed out of (\d+)/gm, tests: firstWithout }, // ctest
];

function firstWithout([, all, ...others]: RegExpMatchArray): number {
  return others.reduce((sum, other) => sum - Number(other ?? 0), Number(all));
}

function named(...words: readonly string[]): (found: RegExpMatchArray) => number {
  const pattern = new RegExp(`(\\d+) (?:${words.join("|")})\\b`, "g");
  return (found) => [...found.slice(1).join(" ").matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** How many tests a check says it has run: its largest summary, because a check may try its tests twice. Undefined: it does not say. */
export function testsReported(output: string): number | undefined {
  const text = plain(output);
  const counts = SUMMARIES.flatMap(({ line, tests }) => [...text.matchAll(line)].map(tests));
  return counts.length === 0 ? undefined : Math.max(...counts);
}

function plain(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  return output.replaceAll(/\u001b\[[\d;]*m/g, "");
}

/** Lines that the same runners print for tests that have failed. */
const FAILURES: readonly RegExp[] = [
  /^(?:#|ℹ) fail ([1-9]\d*)$/gm,
  /^ *Tests:? +.*\b([1-9]\d*) failed\b.*$/gm,
  /^ *([1-9]\d*) failing\b/gm,
  /^=* ?(?:\d+ \w+, )*([1-9]\d*) (?:failed|errors?)\b(?:, \d+ \w+)* in [\d.]+s/gm,
  /^FAILED \((?:failures|errors)=([1-9]\d*)/gm,
  /^test result: FAILED\. \d+ passed; ([1-9]\d*) failed/gm,
  /^\d+ examples?, ([1-9]\d*) failures?/gm,
];

/** Whether the last summary of a check's tests says that some have failed. An earlier one does not count: a check may try its tests twice. */
export function reportsFailures(output: string): boolean {
  const text = plain(output);
  const last = (patterns: readonly RegExp[]) =>
    Math.max(-1, ...patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(({ index }) => index)));
  const failed = last(FAILURES);
  const later = text
    .slice(failed + 1)
    .split("\n")
    .slice(1)
    .join("\n");
  return failed >= 0 && testsReported(later) === undefined;
}

/** A check that passes, with what is known of its tests. */
interface CountedBefore {
  /** How many tests it said it ran before the work. */
  before: number | undefined;
  /** Whether it says so when they pass: one that prints only failures is silent then, and that tells nothing. */
  shows_passed: boolean;
}

/** Whether a check that passes runs fewer tests than before the work, so that its exit code says less. A cut output does not tell. */
export function runsFewerTests(
  { evidence, is_cut, is_met }: Evaluation,
  { before, shows_passed }: CountedBefore,
): boolean {
  if (!is_met || is_cut || before === undefined) return false;
  const now = testsReported(evidence);
  return now === undefined ? shows_passed : now < before;
}

/** Whether an unmet check has exited with 0: its exit code does not waver, it only counts for nothing. */
export function isOverruled({ is_met, outcome }: Evaluation): boolean {
  return !is_met && (outcome?.code === "fewer_tests" || outcome?.code === "failures_reported");
}
