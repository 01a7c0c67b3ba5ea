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

/** What a file validator can tell, in the same place. */
const fileParserNames = ["missingPaths", "expectedPath"] as const;
export type FileParserName = (typeof fileParserNames)[number];

export const parserNames = [...outputParserNames, ...fileParserNames] as const;

/** What the program itself supplies to every prompt as `{uv-…}`. */
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

/** What a step with `usesStdin` gets, besides. */
export const stdinVariables = ["stdin", "input_text"] as const;

/** What only the system prompt gets, besides. */
export const systemVariables = ["agent_name", "completion_criteria", "verdict_criteria"] as const;

/** The name under which a value that a step hands on is known to prompts: `initial.task`, `plan` → `initial_task_plan`. */
export function handoffName(stepId: string, key: string): string {
  return `${stepId.replaceAll(".", "_")}_${key}`;
}

/** The key under which a field is handed on: the last part of its path. */
export function handoffKey(field: string): string {
  return field.slice(field.lastIndexOf(".") + 1);
}
