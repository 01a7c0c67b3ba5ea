import process from "node:process";
import { inspect } from "node:util";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
export type Paint = (style: Style, text: string) => string;

/** Where a command writes: progress and problems to stderr, results to stdout. Nothing else touches the streams. */
export interface Output {
  progress(line: string): void;
  result(line: string): void;
  paint: Paint;
}

export function terminalOutput(): Output {
  return {
    progress: (line) => process.stderr.write(`${line}\n`),
    result: (line) => process.stdout.write(`${line}\n`),
    paint: painter(process.stderr.isTTY === true && process.stdout.isTTY === true),
  };
}

/** A reader that goes away (`e8 list | head`) is no error of ours. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

export function painter(isTerminal: boolean): Paint {
  const { NO_COLOR, TERM } = process.env;
  const isPlain = !isTerminal || (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";
  return (style, text) => (isPlain ? text : coloured(style, text));
}

/** Node's `styleText` asks standard output whether it may; what we paint may stand on standard error. */
function coloured(style: Style, text: string): string {
  const [begin, end] = inspect.colors[style] ?? [0, 0];
  return `\u001b[${begin}m${text}\u001b[${end}m`;
}

export function isDebugging(): boolean {
  return process.env.ENDLESS8_LOG_LEVEL?.toLowerCase() === "debug";
}
