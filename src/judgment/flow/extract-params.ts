import type { FileParserName, OutputParserName } from "../../model/flow/variables.ts";
import { stdoutOf, type ValidatorOutcome } from "./conditions.ts";
import {
  parseDiff,
  parseErrors,
  parseFiles,
  parseFormatOutput,
  parseLintErrors,
  parseTestFailures,
  parseTypeErrors,
} from "./error-output.ts";
import { parseBranchName, parseMergeStatus, parseRemoteStatus, readGitStatus } from "./git-output.ts";

type Parser = (outcome: CommandOutput) => unknown;
type CommandOutput = Pick<ValidatorOutcome, "exit_code" | "stdout" | "output_tail">;

/** Parameters for a retry prompt: name → what its parser finds in the output. Unknown parsers give nothing. */
export function extractParams(wanted: Wanted, outcome: CommandOutput): Record<string, unknown> {
  return extracted(wanted, parsers, outcome);
}

/** The same for a file validator, whose parsers get the path instead of an output. */
export function extractFileParams(wanted: Wanted, looked: LookedFor): Record<string, unknown> {
  return extracted(wanted, fileParsers, looked);
}

type Wanted = Readonly<Record<string, string>>;

interface LookedFor {
  path: string;
  isThere: boolean;
}

function extracted<T>(wanted: Wanted, known: Readonly<Record<string, (seen: T) => unknown>>, seen: T) {
  const entries = Object.entries(wanted).flatMap(([name, parser]) => {
    const parse = Object.hasOwn(known, parser) ? known[parser] : undefined;
    return parse ? [[name, bounded(parse(seen))]] : [];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const fileParsers = {
  missingPaths: ({ path, isThere }) => (isThere ? [] : [path]),
  expectedPath: ({ path }) => path,
} as const satisfies Record<FileParserName, (looked: LookedFor) => unknown>;

const changed: Parser = (outcome) => readGitStatus(stdoutOf(outcome)).map(({ path }) => path);
const testFailures: Parser = ({ output_tail }) => parseTestFailures(output_tail);
const typeErrors: Parser = ({ output_tail }) => parseTypeErrors(output_tail);
const lintErrors: Parser = ({ output_tail }) => parseLintErrors(output_tail);
const formatOutput: Parser = ({ output_tail }) => parseFormatOutput(output_tail);
const files: Parser = ({ output_tail }) => parseFiles(output_tail);
const diff: Parser = (outcome) => parseDiff(stdoutOf(outcome));
const output: Parser = ({ output_tail }) => output_tail.trim();
const exitCode: Parser = ({ exit_code }) => exit_code;

/** Lists are lists of text, so that `{{#each}}{{this}}` works with all of them. Some parsers have two published names. */
const parsers = {
  stdout: stdoutOf,
  stderr: (outcome) => withoutLines(outcome.output_tail, outcome.stdout ?? ""),
  parseOutput: output,
  errorOutput: output,
  parseLines: (outcome) => linesOf(stdoutOf(outcome)),
  parseExitCode: exitCode,
  exitCode,
  parseChangedFiles: changed,
  parseUntrackedFiles: (outcome) => statusPaths(outcome, ({ staged, unstaged }) => staged === "?" && unstaged === "?"),
  parseStagedFiles: (outcome) => statusPaths(outcome, ({ staged }) => /[MADRCUT]/.test(staged)),
  parseUnstagedFiles: (outcome) => statusPaths(outcome, ({ unstaged }) => /[MADRCUT]/.test(unstaged)),
  parseTestOutput: testFailures,
  parseTestFailures: testFailures,
  failedTests: testFailures,
  parseErrors: ({ output_tail }) => parseErrors(output_tail),
  parseTypeErrors: typeErrors,
  errors: typeErrors,
  parseLintErrors: lintErrors,
  lintErrors,
  parseFormatOutput: formatOutput,
  formatFiles: formatOutput,
  generateDiff: diff,
  diff,
  extractFiles: files,
  files,
  lintFiles: files,
  parseBranchName: (outcome) => parseBranchName(stdoutOf(outcome)),
  parseRemoteStatus: (outcome) => parseRemoteStatus(stdoutOf(outcome)),
  parseMergeStatus: ({ output_tail }) => parseMergeStatus(output_tail),
} as const satisfies Record<OutputParserName, Parser>;

function statusPaths(
  outcome: CommandOutput,
  is: (entry: ReturnType<typeof readGitStatus>[number]) => boolean,
): string[] {
  return readGitStatus(stdoutOf(outcome))
    .filter(is)
    .map(({ path }) => path);
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** Stderr is not kept apart: it is the output without the lines of stdout. */
function withoutLines(text: string, removed: string): string {
  const lines = new Set(removed.split("\n"));
  return text
    .split("\n")
    .filter((line) => !lines.has(line))
    .join("\n");
}

const MOST_ITEMS = 200;

/** Keeps a list within a prompt's room, and says how many items were left out. */
function bounded(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= MOST_ITEMS) return value;
  return [...value.slice(0, MOST_ITEMS), `… and ${value.length - MOST_ITEMS} more`];
}
