import process from "node:process";
import type { Phase, RunEvent } from "../../model/events.ts";
import type { Usage } from "../../model/usage.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { compact, costWords, localClock, tokenWords } from "../render/amounts.ts";
import { drawingSize, fitted, fittedTable } from "../render/columns.ts";
import { type ProgressStyle, progressOptions } from "../render/progress.ts";
import { isLive, type ScreenOptions } from "./screen.ts";

/** Where several runs at once are shown. */
export interface LinesScreen<E> {
  show(event: E): void;
  stopping(): void;
  suspend(): void;
  close(): void;
}

/** How the events of several runs become lines. */
export interface LinesView<E> {
  /** As `--json-events` has it. */
  wire(event: E): object;
  /** Calm lines that stay. */
  lines(event: E, style: ProgressStyle): string[];
  /** Whether these lines stay where every run has a line of its own. */
  stays(event: E): boolean;
  /** Takes an event in, and returns what is drawn then. */
  follow(event: E): void;
  rows(texts: Texts, size: { columns: number; rows: number }): string[];
}

export function openLinesScreen<E>(
  view: LinesView<E>,
  options: ScreenOptions,
  { texts, output }: CliContext,
): LinesScreen<E> {
  const nothing: LinesScreen<E> = { show: () => {}, stopping: () => {}, suspend: () => {}, close: () => {} };
  if (options.jsonEvents) return { ...nothing, show: (event) => output.result(JSON.stringify(view.wire(event))) };
  if (options.quiet) return nothing;
  const style = { texts, paint: output.paint, ...progressOptions(options) };
  const tell = (event: E) => {
    for (const line of view.lines(event, style)) output.progress(line);
  };
  const plain = { ...nothing, show: tell, stopping: () => output.progress(texts.stopping) };
  return isLive(options) ? liveScreen(view, plain, { texts, output }) : plain;
}

const DRAW_MILLISECONDS = 100;

/** Under the lines that stay, one line for each run, drawn anew as it changes. */
function liveScreen<E>(
  view: LinesView<E>,
  plain: LinesScreen<E>,
  { texts, output: { paint } }: CliContext,
): LinesScreen<E> {
  let drawn = 0;
  let timer: NodeJS.Timeout | undefined;
  const erase = () => {
    if (drawn > 0) process.stderr.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    timer = undefined;
    erase();
    const rows = view.rows(texts, drawingSize(process.stderr));
    for (const [index, row] of rows.entries()) process.stderr.write(`${index === 1 ? paint("dim", row) : row}\n`);
    drawn = rows.length;
  };
  const drawSoon = () => {
    timer ??= setTimeout(draw, DRAW_MILLISECONDS);
  };
  return {
    show: (event) => {
      view.follow(event);
      if (view.stays(event)) {
        erase();
        plain.show(event);
      }
      drawSoon();
    },
    stopping: () => {
      erase();
      plain.stopping();
      drawSoon();
    },
    suspend: erase,
    close: () => {
      clearTimeout(timer);
      erase();
    },
  };
}

/** An empty line, the names of the columns, and a line for each run: no more than the terminal can hold. */
export function rowsThatFit(
  [names, ...all]: readonly (readonly string[])[],
  { backlog }: Texts,
  { columns, rows }: { columns: number; rows: number },
): string[] {
  if (names === undefined || all.length === 0) return [];
  const room = Math.max(1, rows - BESIDES);
  const shown = all.slice(0, all.length > room ? room - 1 : room);
  const used = names.map((_, column) => shown.some((row) => row[column] !== ""));
  const cut = [names, ...shown].map((row) => row.filter((_, column) => used[column]));
  const width = columns - 1; // a line that fills the last column may wrap
  const fitting = fittedTable(cut, width) ?? cut.map((row) => fitted(row.join(" "), width));
  return ["", ...fitting, ...(shown.length < all.length ? [backlog.more(all.length - shown.length)] : [])];
}

/** The empty line, the names of the columns, and the cursor's line. */
const BESIDES = 3;

/** How far a run has come, as its line shows it. */
export interface RunLine {
  doing?: Phase | undefined;
  iteration: number;
  met: number;
  criteria: number;
  tokens: number;
  cost_usd: number;
  unknown?: Usage["unknown"];
  /** When it asks its model again. */
  waits_until?: number | undefined;
}

export const NOT_BEGUN: RunLine = { iteration: 0, met: 0, criteria: 0, tokens: 0, cost_usd: 0 };

/** What it does now, its iteration, its criteria, and what it has spent. */
export function runCells(line: RunLine, texts: Texts): [now: string, iteration: string, met: string, spent: string] {
  const { doing, iteration, met, criteria, tokens, unknown, waits_until } = line;
  const phase = doing ? texts.phase[doing] : "";
  const now = waits_until === undefined ? phase : texts.backlog.until(localClock(new Date(waits_until)));
  const spent = tokens > 0 || unknown ? [tokenWords(line, texts, compact), ...costWords(line, texts)].join(" ") : "";
  return [now, iteration === 0 ? "" : String(iteration), `${met}/${criteria}`, spent];
}

/** What an event of a run changes in its line. */
export function changeBy(event: RunEvent): Partial<RunLine> {
  switch (event.type) {
    case "run-start":
      return { criteria: event.criteria.length };
    case "iteration-start":
      return { iteration: event.iteration };
    case "phase-start":
      return { doing: event.phase, waits_until: undefined };
    case "waiting":
      return { waits_until: event.until };
    case "spent": {
      const { tokens, cost_usd, unknown } = event.total;
      return { tokens, cost_usd, ...(unknown && { unknown }) };
    }
    case "judgment": {
      const { evaluations } = event.judgment;
      return { met: evaluations.filter(({ is_met }) => is_met).length, criteria: evaluations.length };
    }
    default:
      return {};
  }
}
