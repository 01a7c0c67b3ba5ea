import process from "node:process";

/** Whoever pipes a text on has no width; a long line must not pad every other to its own. */
const PIPED_WIDTH = 200;

export function terminalWidth(): number {
  return knownWidth() ?? PIPED_WIDTH;
}

export function knownWidth(): number | undefined {
  return process.stdout.columns || Number(process.env.COLUMNS) || undefined;
}

/** What can be drawn on. A terminal that nobody has told its size, as in some containers and remote shells, says 0. */
export function drawingSize({ columns, rows }: NodeJS.WriteStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}
