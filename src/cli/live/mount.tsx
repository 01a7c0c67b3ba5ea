import process from "node:process";
import type * as Ink from "ink";
import type { Paint } from "../output.ts";
import { displayWidth, drawingSize } from "../render/columns.ts";
import { wrapped } from "../render/wrap.ts";
import type { Row } from "./frame.ts";

/** A place at the end of the terminal's text that is drawn over again and again. */
export interface Mounted {
  draw(log: readonly LogLine[], rows: readonly Row[]): void;
  /** Takes the drawing away and leaves the terminal as it was; the log stays. */
  remove(): void;
  /** Leaves the drawing where it is and goes below it: it is unknown how much of it was drawn. */
  abandon(): void;
  /** Leaves everything as it is: other programs have written below the drawing. */
  forget(): void;
}

const HIDE_CURSOR = "\u001b[?25l";

/** Puts a drawing there. */
export type Mount = (paint: Paint) => Mounted;

/** Loads what it needs. */
export async function loadMount(): Promise<Mount> {
  const ink = await import("ink");
  return (paint) => mount(ink, paint);
}

function mount(ink: typeof Ink, paint: Paint): Mounted {
  const terminal = process.stderr;
  const { columns: drawnFor } = drawingSize(terminal);
  const stream = inkStream(terminal);
  const options: Ink.RenderOptions = {
    stdout: stream.forInk,
    exitOnCtrlC: false,
    isScreenReaderEnabled: false,
    maxFps: 0, // the caller limits the rate; a frame held back by ink would be drawn over later lines
  };
  let drawn: readonly Row[] = [];
  let view: Ink.Instance | undefined;
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
      const drawing = <LiveView ink={ink} log={log} rows={rows} paint={paint} columns={drawnFor} />;
      if (view) view.rerender(drawing);
      else view = ink.render(drawing, options);
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
 * kill -9 it would stay hidden.
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

/** A line that stays, numbered in the order of the lines. */
export interface LogLine {
  number: number;
  text: string;
}

interface LiveViewProps {
  ink: typeof Ink;
  log: readonly LogLine[];
  rows: readonly Row[];
  paint: Paint;
  columns: number;
}

/** What has happened scrolls away above; what is going on is drawn anew below it. */
function LiveView({ ink, log, rows, paint, columns }: LiveViewProps) {
  const { Box, Static, Text } = ink;
  return (
    <>
      <Static items={[...log]}>
        {({ number, text }) => <LogText key={number} ink={ink} text={text} columns={columns} />}
      </Static>
      <Box flexDirection="column">
        {rows.map((row, index) => (
          // A line is what stands at its place; and each piece is a text of its own, because ink remembers every text it has measured.
          <Box key={String(index)}>
            {row.map(({ text, style }, place) => (
              <Text key={String(place)} wrap="truncate">
                {style ? paint(style, text) : text}
              </Text>
            ))}
          </Box>
        ))}
      </Box>
    </>
  );
}

/** A line that must be broken goes on below where it began, in its colour. */
function LogText({ ink: { Box, Text }, text, columns }: { ink: typeof Ink; text: string; columns: number }) {
  const [, colour = "", indent = ""] = INDENT.exec(text) ?? [];
  const lines = wrapped(text.slice(colour.length + indent.length), columns - indent.length);
  return (
    <Box paddingLeft={indent.length}>
      <Text>{lines.map((line) => colour + line).join("\n")}</Text>
    </Box>
  );
}

const INDENT = new RegExp(`^((?:${String.fromCharCode(27)}\\[\\d+m)*)( *)`);
