import { plainCheck } from "../../model/criterion.ts";
import { phrases } from "../../model/phrases.ts";
import { type Evaluation, isOfCheck } from "../../model/records.ts";
import { retold } from "../../model/telling.ts";
import type { Paint } from "../output.ts";
import type { Texts } from "../texts/en.ts";
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
      ...(shows ? evidenceLines(evaluation, texts) : []),
    ];
  });
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
function evidenceLines({ evidence, wordings }: Evaluation, { language, linesLeftOut }: Texts): string[] {
  const text = printable(retold(language, { text: evidence, wordings }));
  const [first = "", ...rest] = indented(text, "      ").map(shortened);
  const isCut = withoutCutMark(rest[0]?.trim() ?? "") !== undefined;
  const kept = isCut ? rest.slice(1) : rest;
  const hidden = Math.max(0, kept.length - EVIDENCE_LINES);
  const leftOut = isCut ? undefined : hidden; // where the record itself has only the end, nobody knows how many there were
  return [first, ...(leftOut === 0 ? [] : [`      ${linesLeftOut(leftOut)}`]), ...kept.slice(hidden)];
}

const CUT = Object.values(phrases).map(({ cut }) => cut);

/** What a record has kept of the end of a text; undefined where it has all of it. */
export function withoutCutMark(text: string): string | undefined {
  const mark = CUT.find((cut) => text.startsWith(cut));
  return mark === undefined ? undefined : text.slice(mark.length);
}

const LINE_LENGTH = 500;

/** A program that prints a megabyte on one line would fill the screen with it; the record has more. */
function shortened(line: string): string {
  return line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH - 1).toWellFormed()}…`;
}
