import { plainCheck } from "../../model/criterion.ts";
import { type Evaluation, isOfCheck } from "../../model/evaluation.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { evidenceText } from "../../texts/readable.ts";
import type { Paint } from "../output.ts";
import { indented, oneLine, printable } from "./lines.ts";

interface EvaluationStyle {
  texts: Texts;
  paint: Paint;
  /** Whose evidence is shown: that of criteria not met, or all. */
  evidence: "unmet" | "all";
}

const EVIDENCE_LINES = 12;

/** Each criterion with its mark and what the mark rests on. */
export function evaluationLines(evaluations: readonly Evaluation[], style: EvaluationStyle): string[] {
  return evaluations.flatMap((evaluation) => {
    const { is_met, id } = evaluation;
    const { texts, paint } = style;
    const mark = is_met ? paint("green", `✔ ${texts.met}`) : paint("red", `✘ ${texts.notMet}`);
    const shows = style.evidence === "all" || !is_met;
    return [
      `  ${mark}  ${id}. ${oneLine(criterionName(evaluation, texts), 160)}`,
      ...flakyRemark(evaluation, texts).map((remark) => `      ${remark}`),
      ...(shows ? evidenceLines(evaluation, texts) : []),
    ];
  });
}

/** Says that a check has wavered. */
export function flakyRemark({ is_flaky, passes }: Pick<Evaluation, "is_flaky" | "passes">, { proof }: Texts): string[] {
  return is_flaky ? [proof.flaky(passes?.passed ?? 1, passes?.needed ?? 1)] : [];
}

/** Checks without a description of their own have a name of ours. */
export function criterionName(evaluation: Evaluation, texts: Texts): string {
  return isOfCheck(evaluation) ? checkName(evaluation.criterion, texts) : evaluation.criterion;
}

export function checkName(criterion: string, { check }: Texts): string {
  const plain = plainCheck(criterion);
  if (plain === undefined) return criterion;
  if (plain === "hidden") return check.hidden;
  return "files" in plain ? check.unchanged(plain.files) : check.passes(plain.command);
}

/** The first line says what happened; of a long output, the end says why. */
function evidenceLines(evaluation: Evaluation, { language, linesLeftOut }: Texts): string[] {
  const { said, quoted } = evidenceText(evaluation, language);
  const text = [said, quoted].filter(Boolean).join("\n");
  const [first = "", ...rest] = indented(printable(text), "      ").map(shortened);
  const hidden = Math.max(0, rest.length - EVIDENCE_LINES);
  const leftOut = evaluation.is_cut ? undefined : hidden; // a record that was cut does not say how long the output was
  return [first, ...(leftOut === 0 ? [] : [`      ${linesLeftOut(leftOut)}`]), ...rest.slice(hidden)];
}

const LINE_LENGTH = 500;

/** A program that prints a megabyte on one line would fill the screen with it; the record has more. */
function shortened(line: string): string {
  return line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH - 1).toWellFormed()}…`;
}
