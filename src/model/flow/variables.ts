import type { Step } from "./steps-registry.ts";

/** Names of parsers over a command validator's output; `judgment/flow/extract-params.ts` has one for each. */
const outputParserNames = [
  "stdout",
  "stderr",
  "parseOutput",
  "parseLines",
  "parseExitCode",
  "parseChangedFiles",
  "parseUntrackedFiles",
  "parseTestOutput",
  "parseTestFailures",
  "parseErrors",
  "parseTypeErrors",
  "parseLintErrors",
  "parseFormatOutput",
  "generateDiff",
  "extractFiles",
  "parseBranchName",
  "parseRemoteStatus",
  "parseMergeStatus",
  "exitCode",
  "parseStagedFiles",
  "parseUnstagedFiles",
  "failedTests",
  "errorOutput",
  "errors",
  "files",
  "lintErrors",
  "lintFiles",
  "formatFiles",
  "diff",
] as const;
export type OutputParserName = (typeof outputParserNames)[number];

/** The same for file validators. */
const fileParserNames = ["missingPaths", "expectedPath"] as const;
export type FileParserName = (typeof fileParserNames)[number];

export const parserNames = [...outputParserNames, ...fileParserNames] as const;

/** Variables that e8 itself supplies to every prompt as `{uv-…}`. */
export const runtimeVariables = [
  "iteration",
  "completed_iterations",
  "completion_keyword",
  "verdict_keyword",
  "max_iterations",
  "remaining",
  "previous_summary",
  "check_count",
  "max_checks",
  "history",
  "knowledge",
] as const;

/** Further variables for a step with `usesStdin`. */
export const stdinVariables = ["stdin", "input_text"] as const;

/** Further variables for the system prompt. */
export const systemVariables = ["agent_name", "completion_criteria", "verdict_criteria"] as const;

/** The variable of a value that a step hands on: `initial.task`, `plan` → `initial_task_plan`. */
export function handoffName(stepId: string, key: string): string {
  return `${stepId.replaceAll(".", "_")}_${key}`;
}

/** The key under which a field is handed on: the last part of its path. */
export function handoffKey(field: string): string {
  return field.slice(field.lastIndexOf(".") + 1);
}

/** A value that a step may hand on. */
export interface HandoffValue {
  step: string;
  key: string;
  /** Its name in prompts and commands. */
  variable: string;
}

export function handoffValuesOf(steps: Readonly<Record<string, Step>>): HandoffValue[] {
  return Object.values(steps).flatMap(({ stepId: step, structuredGate }) =>
    (structuredGate?.handoffFields ?? [])
      .map(handoffKey)
      .map((key) => ({ step, key, variable: handoffName(step, key) })),
  );
}
