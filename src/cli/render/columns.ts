import { createRequire } from "node:module";
import process from "node:process";
import type { Paint } from "../output.ts";
import { printable } from "./lines.ts";

/** Piped output has no width; a long line must not pad every other to its own. */
const PIPED_WIDTH = 200;

export function terminalWidth(): number {
  return knownWidth() ?? PIPED_WIDTH;
}

export function knownWidth(): number | undefined {
  return process.stdout.columns || Number(process.env.COLUMNS) || undefined;
}

/** The size to draw in. A terminal without a known size, as in some containers and remote shells, says 0. */
export function drawingSize({ columns, rows }: NodeJS.WriteStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** A terminal for a library that asks it for its size: one that says 0 would get a letter a line. */
export function sizedTerminal(terminal: NodeJS.WriteStream): NodeJS.WriteStream {
  if (terminal.columns && terminal.rows) return terminal;
  const { columns, rows } = drawingSize(terminal);
  const own = {
    write: terminal.write.bind(terminal),
    on: terminal.on.bind(terminal),
    off: terminal.off.bind(terminal),
  };
  return Object.assign(Object.create(terminal, { columns: { value: columns }, rows: { value: rows } }), own);
}

/** Plain English and Japanese: every letter stands alone, and those beyond the dashes and dots are two columns wide. */
const PLAIN = /^[\x20-\x7e\u2013-\u2026\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uff01-\uff60]*$/;
const WIDE_IN_PLAIN = /[\u3000-\uffff]/g;
const require = createRequire(import.meta.url);
let stringWidth: typeof import("string-width").default | undefined;
let segmenter: Intl.Segmenter | undefined;

/** The columns that a terminal gives to a text. What measures other texts takes longer to load than `--help` takes: only when needed. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length + (text.match(WIDE_IN_PLAIN)?.length ?? 0);
  stringWidth ??= (require("string-width") as typeof import("string-width")).default;
  return stringWidth(text);
}

export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The text on one line, cut to a number of columns. */
export function fitted(text: string, columns: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  if (displayWidth(line) <= columns) return line;
  let kept = "";
  let width = 0;
  for (const grapheme of graphemes(line)) {
    width += displayWidth(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

type Cells = readonly string[];

/** Columns padded to the widest cell, up to a limit that longer ones stand beyond. */
export function table(rows: readonly Cells[], limit = Number.POSITIVE_INFINITY): string[] {
  const widths = widestCells(rows).map((width) => Math.min(limit, width));
  const padded = (cell: string, width: number) => cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function widestCells(rows: readonly Cells[]): number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), 0),
  );
}

const GAP = 2;
/** Cut to less, a column says nothing: `202…`. */
const NARROWEST = 10;

/** A table where it fits the terminal, otherwise a block for each row. */
export function tableOrBlocks(columns: Cells, rows: readonly Cells[], paint: Paint): string[] {
  const width = terminalWidth();
  const [head, ...lines] = fittedTable([columns, ...rows], width) ?? [];
  if (head !== undefined) return [paint("bold", head), ...lines];
  if (rows.length === 0) return [paint("bold", columns.join("  "))];
  return blocks(columns, rows, width).flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/** A table no wider than `width`: the widest columns give way first. Undefined where too little of them would be left. */
export function fittedTable(rows: readonly Cells[], width: number): string[] | undefined {
  const natural = widestCells(rows);
  const limit = columnLimit(natural, width - GAP * (natural.length - 1));
  return limit === undefined ? undefined : table(rows.map((row) => row.map((cell) => fitted(cell, limit))));
}

/** A block for each row, a line for each of its cells. */
export function blocks(columns: Cells, rows: readonly Cells[], width: number): string[][] {
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
