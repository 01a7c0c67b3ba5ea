import process from "node:process";
import { inspect } from "node:util";
import type { Texts } from "../texts/en/catalogue.ts";
import { knownWidth } from "./render/columns.ts";
import { steady } from "./render/lines.ts";
import { wrappedLines } from "./render/wrap.ts";

const STYLES = ["bold", "dim", "red", "green", "yellow", "cyan"] as const;
export type Style = (typeof STYLES)[number];
export type Paint = (style: Style, text: string) => string;

/**
 * Where a command writes: progress and problems to stderr, results to stdout. Nothing else touches the streams. Control sequences in
 * quoted texts are removed; only our colours reach the terminal.
 */
export interface Output {
  /** Broken between words where a terminal has no room for it. */
  progress(text: string): void;
  result(line: string): void;
  /** Result lines for people: broken between words like progress. */
  page(lines: readonly string[]): void;
  json(value: unknown): void;
  paint: Paint;
}

/** What every command is handed. */
export interface CliContext {
  texts: Texts;
  output: Output;
}

export function terminalOutput(): Output {
  const result = (line: string) => void process.stdout.write(`${steady(line, OURS)}\n`);
  return {
    progress: (text) => {
      const lines = steady(text, OURS).split("\n");
      for (const line of wrappedLines(lines, widthOfErrors())) process.stderr.write(`${line}\n`);
    },
    result,
    page: (lines) => wrappedLines(lines, knownWidth()).forEach(result),
    json: (value) => result(JSON.stringify(value, null, 2)),
    paint: painter(process.stderr.isTTY === true && process.stdout.isTTY === true),
  };
}

function widthOfErrors(): number | undefined {
  return process.stderr.isTTY ? process.stderr.columns || undefined : undefined;
}

/** A reader that goes away (`e8 list | head`) is not an error. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Writes a part of a long result, as fast as it is read. False when the reader has gone away. */
export function writeResult(text: string): Promise<boolean> {
  return new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error)));
}

/** A result that did not arrive (a full disk) is an error, whatever the command says: a reader would take a part for the whole. */
export function onLostResult(tell: (problem: string) => Promise<void>): void {
  let problem: string | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") problem ??= error.message;
  });
  process.once("beforeExit", async () => {
    if (problem !== undefined) await tell(problem);
  });
}

export function painter(isTerminal: boolean): Paint {
  const { NO_COLOR, TERM } = process.env;
  const isPlain = !isTerminal || (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";
  return (style, text) => (isPlain ? text : coloured(style, text));
}

/** Node's `styleText` decides by standard output; our colours may go to standard error. */
function coloured(style: Style, text: string): string {
  const [begin, end] = coloursOf(style);
  return `${begin}${text}${end}`;
}

function coloursOf(style: Style): string[] {
  return (inspect.colors[style] ?? []).map((code) => `\u001b[${code}m`);
}

const OURS: ReadonlySet<string> = new Set(STYLES.flatMap(coloursOf));
