import process from "node:process";
import type { BacklogEvent } from "../../model/backlog.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { compact, dollars, localClock } from "../render/amounts.ts";
import { backlogLines } from "../render/backlog.ts";
import { fitted, table, terminalWidth } from "../render/columns.ts";
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
  return isLive(options) ? liveScreen(plain, context.texts) : plain;
}

const NOTHING: BacklogScreen = { show: () => {}, stopping: () => {}, suspend: () => {}, close: () => {} };

/** An event of a run as the event wire has it, with its issue. */
function wire(event: BacklogEvent): object {
  return event.type === "run" ? { issue: event.issue, ...event.envelope } : event;
}

const DRAW_MILLISECONDS = 100;

/** Under the lines that stay, one line for each run, drawn anew as it changes. */
function liveScreen(plain: BacklogScreen, texts: Texts): BacklogScreen {
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
    const width = terminalWidth() - 1;
    const rows = table([...lines.values()].map((line) => cells(line, texts))).map((row) => fitted(row, width));
    for (const row of rows) process.stderr.write(`${row}\n`);
    drawn = rows.length;
  };
  return {
    show: (event) => {
      lines = linesAfter(lines, event);
      if (event.type !== "run" || event.envelope.event.type === "landing") {
        erase();
        plain.show(event);
      }
      timer ??= setTimeout(draw, DRAW_MILLISECONDS);
    },
    stopping: () => {
      erase();
      plain.stopping();
    },
    suspend: erase,
    close: () => {
      clearTimeout(timer);
      erase();
    },
  };
}

function cells(line: BacklogLine, texts: Texts): string[] {
  const { issue, title, phase, doing, iteration, met, criteria, tokens, cost_usd, waits_until } = line;
  const now =
    waits_until === undefined
      ? doing
        ? texts.phase[doing]
        : ""
      : texts.backlog.until(localClock(new Date(waits_until)));
  const spent = tokens > 0 ? `${compact(tokens)} ${cost_usd > 0 ? dollars(cost_usd) : ""}`.trim() : "";
  return [`#${issue}`, phase ?? "", now, String(iteration), `${met}/${criteria}`, spent, oneLine(title, 60)];
}
