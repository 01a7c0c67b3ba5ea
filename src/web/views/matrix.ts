import { type Criterion, isCheck, refined } from "../../model/criterion.ts";
import type { CellEvidence, CriterionRow } from "../../model/dashboard.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { HistoryRecord, JudgmentRecord } from "../../model/records.ts";
import { judgmentsIn } from "../../model/refuted.ts";
import type { Task } from "../../model/task.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { evidenceText } from "../../texts/readable.ts";

/** Criteria with a cell for each iteration that judged them: what failed in its proof is not met. What a flow evaluated stands for its criteria. */
export function criterionRows(task: Task, records: readonly HistoryRecord[], texts: Texts): CriterionRow[] {
  const judgments = judgmentsIn(records);
  const given = givenRows(task, texts);
  const rows = given.length > 0 ? given : evaluatedRows(judgments);
  return rows.map((row) => ({ ...row, cells: judgments.flatMap((judgment) => cellsIn(judgment, row.id)) }));
}

type Row = Omit<CriterionRow, "cells">;

function givenRows({ configuration: { criteria }, intake }: Task, texts: Texts): Row[] {
  const sharper = refined(criteria, intake?.status === "accepted" ? intake.criteria : []);
  return criteria.map((criterion, index) => ({
    id: index + 1,
    ...partsOf(criterion, texts),
    ...refinedPart(criterion, sharper[index]),
  }));
}

function partsOf(criterion: Criterion, { check }: Texts): Omit<Row, "id"> {
  if (!isCheck(criterion)) return { kind: "sentence", text: criterion.text };
  const { description } = criterion;
  if (criterion.type === "unchanged")
    return { kind: "unchanged", text: description ?? check.unchanged(criterion.files.join(", ")) };
  const { command } = criterion;
  return { kind: "command", text: description ?? command, command };
}

function refinedPart(criterion: Criterion, sharper: Criterion | undefined): Pick<Row, "refined"> {
  if (criterion.type !== "semantic" || sharper?.type !== "semantic" || sharper.text === criterion.text) return {};
  return { refined: sharper.text };
}

const KINDS = { command: "command", files: "unchanged", judge: "sentence", nobody: "sentence" } as const;

function evaluatedRows(judgments: readonly JudgmentRecord[]): Row[] {
  const evaluated = judgments.flatMap(({ evaluations }) => evaluations);
  const rows = evaluated.map(({ id, criterion, source }): Row => ({ id, text: criterion, kind: KINDS[source] }));
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((left, right) => left.id - right.id);
}

function cellsIn({ iteration, evaluations }: JudgmentRecord, id: number): CriterionRow["cells"] {
  const found = evaluations.find((one) => one.id === id);
  if (!found || found.source === "nobody") return [];
  return [{ iteration, is_met: found.is_met, ...(found.is_flaky && { is_flaky: true }) }];
}

/** What a cell rests on. Undefined where the iteration has not judged the criterion. */
export function cellEvidence(
  records: readonly HistoryRecord[],
  cell: { iteration: number; id: number },
  { language }: Texts,
): CellEvidence | undefined {
  const judgment = judgmentsIn(records).find(({ iteration }) => iteration === cell.iteration);
  const found = judgment?.evaluations.find(({ id }) => id === cell.id);
  return found && { ...cell, ...evidenceParts(found), ...evidenceText(found, language) };
}

/** What every cell rests on. */
export function allEvidence(records: readonly HistoryRecord[], { language }: Texts): CellEvidence[] {
  return judgmentsIn(records).flatMap(({ iteration, evaluations }) =>
    evaluations.map((found) => ({
      ...{ iteration, id: found.id },
      ...evidenceParts(found),
      ...evidenceText(found, language),
    })),
  );
}

function evidenceParts({ is_met, is_cut = false, source, confidence }: Evaluation) {
  return { is_met, is_cut, source, confidence };
}
