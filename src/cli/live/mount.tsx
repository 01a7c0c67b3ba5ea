import process from "node:process";
import { type Instance, type RenderOptions, render } from "ink";
import type { Paint } from "../output.ts";
import { displayWidth, drawingSize } from "../render/columns.ts";
import type { Row } from "./frame.ts";
import { LiveView, type LogLine } from "./view.tsx";

/** A place at the end of the terminal's text that is drawn over again and again. */
export interface Mounted {
  draw(log: readonly LogLine[], rows: readonly Row[]): void;
  /** Takes the drawing away and leaves the terminal as it was; the log stays. */
  remove(): void;
  /** Leaves the drawing where it is and goes below it: nobody knows how much of it was drawn. */
  abandon(): void;
  /** Leaves everything as it is: others have written below the drawing. */
  forget(): void;
}

const HIDE_CURSOR = "\u001b[?25l";

export function mount(paint: Paint): Mounted {
  const terminal = process.stderr;
  const { columns: drawnFor } = drawingSize(terminal);
  const stream = inkStream(terminal);
  const options: RenderOptions = {
    stdout: stream.forInk,
    exitOnCtrlC: false,
    isScreenReaderEnabled: false,
    maxFps: 0, // whoever draws keeps count; a frame held back would be drawn over what came after it
  };
  let drawn: readonly Row[] = [];
  let view: Instance | undefined;
  const end = (farewell: () => void) => {
    if (!view) return;
    farewell();
    stream.close();
    view.unmount();
    view = undefined;
  };
  return {
    draw(log, rows) {
      drawn = rows;
      const drawing = <LiveView log={log} rows={rows} paint={paint} columns={drawnFor} />;
      if (view) view.rerender(drawing);
      else view = render(drawing, options);
    },
    remove: () =>
      end(() => {
        const { columns } = drawingSize(terminal);
        if (columns === drawnFor) view?.clear();
        else terminal.write(`\u001b[${heightIn(columns, drawn)}A\r\u001b[J`);
      }),
    abandon: () => end(() => terminal.write("\r\u001b[J\n")),
    forget: () => end(() => {}),
  };
}

/** Terminals break lines that no longer fit: what was drawn takes more lines in a narrower one. */
function heightIn(columns: number, rows: readonly Row[]): number {
  const widths = rows.map((row) =>
    displayWidth(
      row
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    ),
  );
  return widths.reduce((height, width) => height + Math.max(1, Math.ceil(width / columns)), 0);
}

/**
 * The terminal as ink may see it. Its height stays hidden: where a drawing does not fit, ink wipes the whole terminal with
 * everything the user had in it. Its resizing too: we draw anew ourselves. The cursor stays visible, below the drawing: after
 * kill -9 nobody would show it again.
 */
function inkStream(terminal: NodeJS.WriteStream) {
  let isOpen = true;
  const write = (text: string) => (isOpen && text !== HIDE_CURSOR ? terminal.write(text) : true);
  const forInk: NodeJS.WriteStream = Object.create(terminal, {
    columns: { value: drawingSize(terminal).columns },
    rows: { value: undefined },
    write: { value: write },
    on: { value: () => forInk },
    off: { value: () => forInk },
  });
  return {
    forInk,
    close: () => {
      isOpen = false;
    },
  };
}
