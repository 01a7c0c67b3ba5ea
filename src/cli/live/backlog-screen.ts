import type { BacklogEvent } from "../../model/backlog.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { backlogLines } from "../render/backlog.ts";
import { oneLine } from "../render/lines.ts";
import { type BacklogLine, type BacklogLines, linesAfter } from "./backlog-state.ts";
import { type LinesScreen, openLinesScreen, rowsThatFit, runCells } from "./lines-screen.ts";
import type { ScreenOptions } from "./screen.ts";

export function openBacklogScreen(options: ScreenOptions, context: CliContext): LinesScreen<BacklogEvent> {
  let lines: BacklogLines = new Map();
  const view = {
    wire,
    lines: backlogLines,
    stays: (event: BacklogEvent) => event.type !== "run" || event.envelope.event.type === "landing",
    follow: (event: BacklogEvent) => {
      lines = linesAfter(lines, event);
    },
    rows: (texts: Texts, size: { columns: number; rows: number }) => liveRows([...lines.values()], texts, size),
  };
  return openLinesScreen(view, options, context);
}

/** An event of a run as the event wire has it, with its issue. */
function wire(event: BacklogEvent): object {
  return event.type === "run" ? { issue: event.issue, ...event.envelope } : event;
}

/** An empty line, the names of the columns, and a line for each run: no more than the terminal can hold. */
export function liveRows(
  lines: readonly BacklogLine[],
  texts: Texts,
  size: { columns: number; rows: number },
): string[] {
  return rowsThatFit([texts.backlog.liveColumns, ...lines.map((line) => cells(line, texts))], texts, size);
}

function cells(line: BacklogLine, texts: Texts): string[] {
  const { issue, title, phase } = line;
  return [`#${issue}`, phase ?? "", ...runCells(line, texts), oneLine(title, 60)];
}
