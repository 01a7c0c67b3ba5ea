import { type Criterion, criterionText, type UnchangedCriterion } from "../model/criterion.ts";
import { type Digests, differencesBetween } from "../model/digests.ts";
import { E8Error } from "../model/errors.ts";
import type { Evaluation } from "../model/records.ts";
import { phrased, told } from "../model/telling.ts";
import { keepHead } from "./bounds.ts";
import type { RunContext } from "./run-context.ts";
import { onOneLine } from "./texts.ts";

const LIST_TOKENS = 1500;

/** Remembers what the files of `unchanged` criteria are, before anybody works. A task that is resumed began when it began. */
export async function keepBaseline({ ports }: RunContext, criteria: readonly Criterion[]): Promise<void> {
  const { files, workspace } = ports;
  const kept = criteria.filter((criterion) => criterion.type === "unchanged").map((criterion) => criterion.files);
  if (files.task.baseline !== undefined || kept.length === 0) return;
  const baseline: Record<string, Digests> = {};
  for (const patterns of kept) {
    const digests = await workspace.digests(patterns);
    if (Object.keys(digests).length === 0) throw new E8Error("files_unmatched", { files: patterns.join(", ") });
    baseline[keyOf(patterns)] = digests;
  }
  await files.save({ baseline });
}

/** Met while every file is what it was, none is gone, and none has come. */
export async function compareFiles(
  { ports, phrases: { language, cut } }: RunContext,
  id: number,
  criterion: UnchangedCriterion,
): Promise<Evaluation> {
  const before = ports.files.task.baseline?.[keyOf(criterion.files)] ?? {}; // then all of them have come since
  const differences = differencesBetween(before, await ports.workspace.digests(criterion.files));
  const count = Object.keys(before).length;
  const list = keepHead(differences.map(onOneLine).join("\n"), LIST_TOKENS, cut);
  const parts =
    differences.length === 0
      ? [phrased(({ filesAsBefore }) => filesAsBefore(count))]
      : [phrased(({ filesNotAsBefore }) => filesNotAsBefore(differences.length)), `\n${list}`];
  const { text: evidence, ...ours } = told(language, parts, "");
  return {
    id,
    criterion: criterionText(criterion),
    is_met: count > 0 && differences.length === 0,
    evidence,
    confidence: 1,
    source: "files",
    ...ours,
  };
}

function keyOf(patterns: readonly string[]): string {
  return patterns.join("\n");
}
