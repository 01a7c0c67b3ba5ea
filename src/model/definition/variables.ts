import type { Completion, CompletionType } from "./agent-file.ts";

/** Names of parsers over a validator's output; `judgment/flow/extract-params.ts` has one for each. */
export const parserNames = [
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
] as const;
export type ParserName = (typeof parserNames)[number];

const ALWAYS = ["iteration", "completed_iterations", "max_iterations", "remaining", "previous_summary"] as const;

/** What the program itself supplies to every prompt as `{uv-…}`; some only where the completion has them. */
export function runtimeVariables(completion: Completion): string[] {
  return [
    ...ALWAYS,
    ...(holds(completion, "keywordSignal") ? ["completion_keyword"] : []),
    ...(holds(completion, "checkBudget") ? ["check_count", "max_checks"] : []),
  ];
}

/** What only the system prompt gets, besides. */
export const systemVariables = ["agent_name", "completion_criteria", "verdict_criteria"] as const;

/** Whether a completion is of a type, or holds one of it. */
export function holds(completion: Completion, type: CompletionType): boolean {
  return completion.type === type || (completion.config.conditions ?? []).some((inner) => holds(inner, type));
}

/** The name under which a value that a step hands on is known to prompts: `initial.task`, `plan` → `initial_task_plan`. */
export function handoffName(stepId: string, key: string): string {
  return `${stepId.replaceAll(".", "_")}_${key}`;
}

/** The key under which a field is handed on: the last part of its path. */
export function handoffKey(field: string): string {
  return field.slice(field.lastIndexOf(".") + 1);
}
