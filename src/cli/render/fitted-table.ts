import { displayWidth, fitted, table } from "./lines.ts";

const GAP = 2;
const NARROWEST = 4;

/** A table no wider than `width` where that is possible: the widest columns give way first. */
export function fittedTable(rows: readonly (readonly string[])[], width: number): string[] {
  const natural = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), 0),
  );
  const limit = columnLimit(natural, width - GAP * (natural.length - 1));
  return table(rows.map((row) => row.map((cell) => fitted(cell, limit))));
}

/** The largest width for a single column with which all of them fit. */
function columnLimit(natural: readonly number[], width: number): number {
  const fits = (limit: number) => natural.reduce((sum, one) => sum + Math.min(one, limit), 0) <= width;
  let low = NARROWEST;
  let high = natural.reduce((widest, one) => Math.max(widest, one), NARROWEST);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
