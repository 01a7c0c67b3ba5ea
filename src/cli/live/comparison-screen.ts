import type { ComparisonEvent } from "../../model/comparison.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import type { CliContext } from "../output.ts";
import { comparisonLines } from "../render/comparison.ts";
import {
  changeBy,
  type LinesScreen,
  NOT_BEGUN,
  openLinesScreen,
  type RunLine,
  rowsThatFit,
  runCells,
} from "./lines-screen.ts";
import type { ScreenOptions } from "./screen.ts";

interface EntryLine extends RunLine {
  number: number;
  agent: string;
}

export function openComparisonScreen(options: ScreenOptions, context: CliContext): LinesScreen<ComparisonEvent> {
  const lines = new Map<number, EntryLine>();
  const view = {
    wire,
    lines: comparisonLines,
    stays: (event: ComparisonEvent) => event.type !== "run" || event.envelope.event.type === "landing",
    follow: (event: ComparisonEvent) => follow(lines, event),
    rows: (texts: Texts, size: { columns: number; rows: number }) => {
      const cells = [...lines.values()].map((line) => [String(line.number), line.agent, ...runCells(line, texts)]);
      return rowsThatFit([texts.comparing.liveColumns, ...cells], texts, size);
    },
  };
  return openLinesScreen(view, options, context);
}

/** An event of a run as the event wire has it, with its number and agent. */
function wire(event: ComparisonEvent): object {
  return event.type === "run" ? { number: event.number, agent: event.agent, ...event.envelope } : event;
}

function follow(lines: Map<number, EntryLine>, event: ComparisonEvent): void {
  const { number, agent } = event;
  if (event.type === "entry-start" || event.type === "keeping") lines.set(number, { number, agent, ...NOT_BEGUN });
  const line = lines.get(number);
  if (event.type === "run" && line) lines.set(number, { ...line, ...changeBy(event.envelope.event) });
  if (event.type === "entry-end" || event.type === "entry-failed") lines.delete(number);
}
