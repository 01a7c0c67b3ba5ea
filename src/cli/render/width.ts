import process from "node:process";

/** Whoever pipes a text on has no width; a long line must not pad every other to its own. */
const PIPED_WIDTH = 200;

export function terminalWidth(): number {
  return process.stdout.columns ?? (Number(process.env.COLUMNS) || PIPED_WIDTH);
}
