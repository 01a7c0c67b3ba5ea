import type { Paint } from "../output.ts";
import { displayWidth, fitted, table } from "./lines.ts";
import { terminalWidth } from "./width.ts";

const GAP = 2;
/** Cut to less, a column says nothing: `202…`. */
const NARROWEST = 10;

/** What fits the terminal: columns, or blocks. */
export function tableOrBlocks(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string[] {
  const width = terminalWidth();
  const [head, ...lines] = fittedTable([columns, ...rows], width) ?? [];
  if (head !== undefined) return [paint("bold", head), ...lines];
  if (rows.length === 0) return [paint("bold", columns.join("  "))];
  return blocks(columns, rows, width).flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/** A table no wider than `width`: the widest columns give way first. Undefined where nobody could read what is left of them. */
export function fittedTable(rows: readonly (readonly string[])[], width: number): string[] | undefined {
  const natural = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), 0),
  );
  const limit = columnLimit(natural, width - GAP * (natural.length - 1));
  return limit === undefined ? undefined : table(rows.map((row) => row.map((cell) => fitted(cell, limit))));
}

/** What does not fit side by side, below each other: a block for each row, a line for each of its cells. */
export function blocks(columns: readonly string[], rows: readonly (readonly string[])[], width: number): string[][] {
  const widest = columns.reduce((most, name) => Math.max(most, displayWidth(name)), 0);
  const room = Math.max(NARROWEST, width - widest - GAP);
  return rows.map((row) => table(columns.map((name, column) => [name, fitted(row[column] ?? "", room)])));
}

/** The largest width for a single column with which all of them fit. */
function columnLimit(natural: readonly number[], width: number): number | undefined {
  const fits = (limit: number) => natural.reduce((sum, one) => sum + Math.min(one, limit), 0) <= width;
  let low = NARROWEST;
  let high = natural.reduce((widest, one) => Math.max(widest, one), NARROWEST);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return fits(low) ? low : undefined;
}
