import process from "node:process";
import type { BacklogEvent } from "../../model/backlog.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { compact, costWords, localClock, tokenWords } from "../render/amounts.ts";
import { backlogLines } from "../render/backlog.ts";
import { drawingSize, fitted, fittedTable } from "../render/columns.ts";
import { oneLine } from "../render/lines.ts";
import { progressOptions } from "../render/progress.ts";
import { type BacklogLine, type BacklogLines, linesAfter } from "./backlog-state.ts";
import { isLive, type ScreenOptions } from "./screen.ts";

/** Where a backlog is shown. */
export interface BacklogScreen {
  show(event: BacklogEvent): void;
  stopping(): void;
  suspend(): void;
  close(): void;
}

export function openBacklogScreen(options: ScreenOptions, context: CliContext): BacklogScreen {
  if (options.jsonEvents) return { ...NOTHING, show: (event) => context.output.result(JSON.stringify(wire(event))) };
  if (options.quiet) return NOTHING;
  const style = { texts: context.texts, paint: context.output.paint, ...progressOptions(options) };
  const tell = (event: BacklogEvent) => {
    for (const line of backlogLines(event, style)) context.output.progress(line);
  };
  const plain = { ...NOTHING, show: tell, stopping: () => context.output.progress(context.texts.stopping) };
  return isLive(options) ? liveScreen(plain, context) : plain;
}

const NOTHING: BacklogScreen = { show: () => {}, stopping: () => {}, suspend: () => {}, close: () => {} };

/** An event of a run as the event wire has it, with its issue. */
function wire(event: BacklogEvent): object {
  return event.type === "run" ? { issue: event.issue, ...event.envelope } : event;
}

const DRAW_MILLISECONDS = 100;

/** Under the lines that stay, one line for each run, drawn anew as it changes. */
function liveScreen(plain: BacklogScreen, { texts, output: { paint } }: CliContext): BacklogScreen {
  let lines: BacklogLines = new Map();
  let drawn = 0;
  let timer: NodeJS.Timeout | undefined;
  const erase = () => {
    if (drawn > 0) process.stderr.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    timer = undefined;
    erase();
    const rows = liveRows([...lines.values()], texts, drawingSize(process.stderr));
    for (const [index, row] of rows.entries()) process.stderr.write(`${index === 1 ? paint("dim", row) : row}\n`);
    drawn = rows.length;
  };
  const drawSoon = () => {
    timer ??= setTimeout(draw, DRAW_MILLISECONDS);
  };
  return {
    show: (event) => {
      lines = linesAfter(lines, event);
      if (event.type !== "run" || event.envelope.event.type === "landing") {
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
export function liveRows(
  lines: readonly BacklogLine[],
  texts: Texts,
  { columns, rows }: { columns: number; rows: number },
): string[] {
  if (lines.length === 0) return [];
  const room = Math.max(1, rows - BESIDES);
  const shown = lines.slice(0, lines.length > room ? room - 1 : room);
  const all = [texts.backlog.liveColumns, ...shown.map((line) => cells(line, texts))];
  const used = all[0]?.map((_, column) => all.some((row, index) => index > 0 && row[column] !== "")) ?? [];
  const cut = all.map((row) => row.filter((_, column) => used[column]));
  const width = columns - 1; // a line that fills the last column may wrap
  const fitting = fittedTable(cut, width) ?? cut.map((row) => fitted(row.join(" "), width));
  return ["", ...fitting, ...(shown.length < lines.length ? [texts.backlog.more(lines.length - shown.length)] : [])];
}

/** The empty line, the names of the columns, and the cursor's line. */
const BESIDES = 3;

function cells(line: BacklogLine, texts: Texts): string[] {
  const { issue, title, phase, doing, iteration, met, criteria, tokens, unknown, waits_until } = line;
  const now =
    waits_until === undefined
      ? doing
        ? texts.phase[doing]
        : ""
      : texts.backlog.until(localClock(new Date(waits_until)));
  const spent = tokens > 0 || unknown ? [tokenWords(line, texts, compact), ...costWords(line, texts)].join(" ") : "";
  return [
    `#${issue}`,
    phase ?? "",
    now,
    iteration === 0 ? "" : String(iteration),
    `${met}/${criteria}`,
    spent,
    oneLine(title, 60),
  ];
}
