import { z } from "zod";
import { yamlBoolean, yamlNumber } from "./yaml-scalars.ts";

const MOST_REPEATS = 100;

/** A command that must exit 0. */
export const CommandCriterion = z.strictObject({
  type: z.literal("command"),
  command: z.string().trim().min(1),
  description: z.string().min(1).optional(),
  /** Seconds; `command_timeout` where absent. */
  timeout: yamlNumber(z.number().positive()).optional(),
  /** The executor is told the description and that it failed, never the command or its output. */
  hidden: yamlBoolean().optional(),
  /** Makes a failure before a pipe count: `npm test | tail` otherwise exits as `tail` does. */
  pipefail: yamlBoolean().optional(),
  /** How often it must pass in a row, each time it is run. Absent: once, and three times when it is flaky. */
  repeat: yamlNumber(z.int().min(1).max(MOST_REPEATS)).optional(),
});
export type CommandCriterion = z.infer<typeof CommandCriterion>;

/** A sentence that the judge compares with the summary. */
export const SemanticCriterion = z.strictObject({ type: z.literal("semantic"), text: z.string().trim().min(1) });
export type SemanticCriterion = z.infer<typeof SemanticCriterion>;

/** Files that must not change during the task: the tests and scripts that the checks use. */
export const UnchangedCriterion = z.strictObject({
  type: z.literal("unchanged"),
  /** Patterns such as `test/**`, seen from the directory in which checks run; `!` takes out again. A directory is all that is in it. */
  files: z.preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z.array(z.string().trim().min(1)).min(1),
  ),
  description: z.string().min(1).optional(),
});
export type UnchangedCriterion = z.infer<typeof UnchangedCriterion>;

/** One condition of "done": a sentence for the judge, a command that must exit 0, or files that must stay as they are. */
export const Criterion = z.discriminatedUnion("type", [SemanticCriterion, CommandCriterion, UnchangedCriterion]);
export type Criterion = z.infer<typeof Criterion>;

/** A criterion that needs no judge. */
export type Check = Exclude<Criterion, SemanticCriterion>;

export function isCheck(criterion: Criterion): criterion is Check {
  return criterion.type !== "semantic";
}

/** What a check does, whatever it is called. */
export function deedOf(check: Check): string {
  if (check.type === "unchanged") return JSON.stringify(check.files);
  return check.pipefail ? `set -o pipefail; ${check.command}` : check.command;
}

/** How a criterion may be written in task.yaml: a bare string is semantic. */
export const CriterionInput = z.preprocess(
  (value) => (typeof value === "string" ? { type: "semantic", text: value } : value),
  Criterion,
);

/** Criteria with the intake's texts, one for each semantic criterion, in order. Checks, and criteria without a text, stay. */
export function refined<T extends { type: string; text?: string }>(
  criteria: readonly T[],
  texts: readonly string[],
): T[] {
  const words = texts.values();
  return criteria.map((criterion) =>
    criterion.type === "semantic" ? { ...criterion, text: words.next().value?.trim() || criterion.text } : criterion,
  );
}

/** Whether the worker must not learn what it does. */
export function isHidden(criterion: Criterion): boolean {
  return criterion.type === "command" && criterion.hidden === true;
}

/** A criterion's name for people and prompts. Never shows a hidden command. */
export function criterionText(criterion: Criterion): string {
  if (criterion.type === "semantic") return criterion.text;
  if (criterion.type === "unchanged") return criterion.description ?? `${UNCHANGED}${criterion.files.join(", ")}`;
  return criterion.description ?? (criterion.hidden ? HIDDEN_CHECK : `\`${criterion.command}\`${EXITS_ZERO}`);
}

const HIDDEN_CHECK = "a hidden check passes";
const EXITS_ZERO = " exits 0";
const UNCHANGED = "unchanged since the task began: ";

/** Reads the name of a check without a description: its command, its files, or that it is hidden. */
export function plainCheck(name: string): { command: string } | { files: string } | "hidden" | undefined {
  if (name === HIDDEN_CHECK) return "hidden";
  if (name.startsWith(UNCHANGED)) return { files: name.slice(UNCHANGED.length) };
  return name.startsWith("`") && name.endsWith(`\`${EXITS_ZERO}`)
    ? { command: name.slice(1, -EXITS_ZERO.length - 1) }
    : undefined;
}

/** Prompts, records and reports identify criteria by number, from 1. */
export interface NumberedCriterion {
  id: number;
  criterion: Criterion;
}

export function numbered(criteria: readonly Criterion[]): NumberedCriterion[] {
  return criteria.map((criterion, index) => ({ id: index + 1, criterion }));
}
