import { plainCheck } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/records.ts";
import type { Paint } from "../output.ts";
import type { Texts } from "../texts/en.ts";
import { indented, oneLine, printable } from "./lines.ts";

interface Style {
  texts: Texts;
  paint: Paint;
  /** Whose evidence is shown: that of criteria not met, or all. */
  evidence: "unmet" | "all";
}

const EVIDENCE_LINES = 12;

/** Each criterion with its mark and what the mark rests on. */
export function evaluationLines(evaluations: readonly Evaluation[], style: Style): string[] {
  return evaluations.flatMap((evaluation) => {
    const { is_met, id, criterion } = evaluation;
    const { texts, paint } = style;
    const mark = is_met ? paint("green", `✔ ${texts.met}`) : paint("red", `✘ ${texts.notMet}`);
    const shows = style.evidence === "all" || !is_met;
    return [
      `  ${mark}  ${id}. ${oneLine(evaluation.source === "command" ? checkName(criterion, texts) : criterion, 160)}`,
      ...(shows ? evidenceLines(evaluation.evidence) : []),
    ];
  });
}

/** Checks without a description of their own have a name of ours. */
export function checkName(name: string, { check }: Texts): string {
  const plain = plainCheck(name);
  if (plain === undefined) return name;
  return plain === "hidden" ? check.hidden : check.passes(plain.command);
}

/** The first line says what happened; of a long output, the end says why. */
function evidenceLines(evidence: string): string[] {
  const [first = "", ...rest] = indented(printable(evidence), "      ");
  const hidden = Math.max(0, rest.length - EVIDENCE_LINES);
  return [first, ...(hidden > 0 ? [`      … (${hidden})`] : []), ...rest.slice(hidden)];
}
