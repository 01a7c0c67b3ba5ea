import { Box, Static, Text } from "ink";
import type { Paint } from "../output.ts";
import { wrapped } from "../render/wrap.ts";
import type { Row } from "./frame.ts";

/** A line that stays, numbered in the order of the lines. */
export interface LogLine {
  number: number;
  text: string;
}

interface LiveViewProps {
  log: readonly LogLine[];
  rows: readonly Row[];
  paint: Paint;
  columns: number;
}

/** What has happened scrolls away above; what is going on is drawn anew below it. */
export function LiveView({ log, rows, paint, columns }: LiveViewProps) {
  return (
    <>
      <Static items={[...log]}>{({ number, text }) => <LogText key={number} text={text} columns={columns} />}</Static>
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
function LogText({ text, columns }: { text: string; columns: number }) {
  const [, colour = "", indent = ""] = INDENT.exec(text) ?? [];
  const lines = wrapped(text.slice(colour.length + indent.length), columns - indent.length);
  return (
    <Box paddingLeft={indent.length}>
      <Text>{lines.map((line) => colour + line).join("\n")}</Text>
    </Box>
  );
}

const INDENT = new RegExp(`^((?:${String.fromCharCode(27)}\\[\\d+m)*)( *)`);
