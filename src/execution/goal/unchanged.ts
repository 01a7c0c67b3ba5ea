import { type Criterion, criterionText, type UnchangedCriterion } from "../../model/criterion.ts";
import { type Digests, differencesBetween } from "../../model/digests.ts";
import { E8Error } from "../../model/errors.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import { message } from "../../model/message.ts";
import { headOf } from "../prompt/bounds.ts";
import { onOneLine } from "../prompt/quotes.ts";
import type { RunContext } from "../run-context.ts";

const LIST_TOKENS = 1500;

/** Stores the digests of `unchanged` files before the first work. A resumed task keeps its first baseline. */
export async function keepBaseline({ ports }: RunContext, criteria: readonly Criterion[]): Promise<void> {
  const { store, workspace } = ports;
  const kept = criteria.filter((criterion) => criterion.type === "unchanged").map((criterion) => criterion.files);
  const known = store.task.baseline ?? {};
  // One that says nothing any more must not be made anew from what a worker has left; a fork's may lack its new criteria.
  if (store.task.baseline && Object.keys(known).length === 0) return;
  const missing = kept.filter((patterns) => !Object.hasOwn(known, keyOf(patterns)));
  if (missing.length === 0) return;
  const baseline: Record<string, Digests> = { ...known };
  for (const patterns of missing) {
    const digests = await workspace.digests(patterns);
    if (Object.keys(digests).length === 0) throw new E8Error("files_unmatched", { files: patterns.join(", ") });
    baseline[keyOf(patterns)] = digests;
  }
  await store.save({ baseline });
}

/** Met while no file was changed, deleted or added. */
export async function compareFiles(
  { ports }: RunContext,
  id: number,
  criterion: UnchangedCriterion,
): Promise<Evaluation> {
  const before = ports.store.task.baseline?.[keyOf(criterion.files)] ?? {}; // without a baseline, all files count as added
  const differences = differencesBetween(before, await ports.workspace.digests(criterion.files));
  const count = Object.keys(before).length;
  const { text: evidence, is_cut } = headOf(differences.map(onOneLine).join("\n"), LIST_TOKENS);
  return {
    id,
    criterion: criterionText(criterion),
    is_met: count > 0 && differences.length === 0,
    evidence,
    outcome:
      differences.length === 0
        ? message("files_unchanged", { count })
        : message("files_changed", { count: differences.length }),
    ...(is_cut && { is_cut }),
    confidence: 1,
    source: "files",
  };
}

function keyOf(patterns: readonly string[]): string {
  return patterns.join("\n");
}
