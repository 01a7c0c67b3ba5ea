import type { JudgmentRecord } from "../../model/records.ts";
import type { Paint } from "../output.ts";
import { displayWidth, fitted } from "./columns.ts";

export interface MatrixRow {
  id: number;
  criterion: string;
}

interface Space {
  width: number;
  paint: Paint;
}

const WIDEST_TEXT = 60;
const NARROWEST_TEXT = 20;

/** Criteria down, iterations across: met ✔, not met ✘, not evaluated ·. Of many iterations, the latest that fit. */
export function matrix(
  rows: readonly MatrixRow[],
  judgments: readonly JudgmentRecord[],
  { width, paint }: Space,
): { lines: string[]; left_out: number } {
  const cell = Math.max(1, ...judgments.map(({ iteration }) => String(iteration).length)) + 1;
  const natural = Math.max(0, ...rows.map((row) => displayWidth(label(row))));
  const text = Math.min(natural, WIDEST_TEXT, Math.max(NARROWEST_TEXT, width - 2 - cell * judgments.length));
  const shown = judgments.slice(-Math.max(1, Math.floor((width - 2 - text) / cell)));
  const head = shown.map(({ iteration }) => String(iteration).padStart(cell)).join("");
  const lines = rows.map((row) => {
    const marks = shown.map((judgment) => " ".repeat(cell - 1) + mark(row.id, judgment, paint)).join("");
    const name = fitted(label(row), text);
    return `  ${name}${" ".repeat(text - displayWidth(name))}${marks}`;
  });
  return { lines: [`  ${" ".repeat(text)}${head}`, ...lines], left_out: judgments.length - shown.length };
}

function label({ id, criterion }: MatrixRow): string {
  return `${id}. ${criterion.replace(/\s+/g, " ").trim()}`;
}

function mark(id: number, { evaluations }: JudgmentRecord, paint: Paint): string {
  const evaluation = evaluations.find((one) => one.id === id);
  if (!evaluation || evaluation.source === "nobody") return paint("dim", "·");
  return evaluation.is_met ? paint("green", "✔") : paint("red", "✘");
}
