import { Box, Static, Text } from "ink";
import type { Paint } from "../output.ts";
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
}

/** What has happened scrolls away above; what is going on is drawn anew below it. */
export function LiveView({ log, rows, paint }: LiveViewProps) {
  return (
    <>
      <Static items={[...log]}>{({ number, text }) => <LogText key={number} text={text} />}</Static>
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

/** A line that must be broken goes on where it began. */
function LogText({ text }: { text: string }) {
  const [, colour = "", indent = ""] = INDENT.exec(text) ?? [];
  return (
    <Box paddingLeft={indent.length}>
      <Text>{colour + text.slice(colour.length + indent.length)}</Text>
    </Box>
  );
}

const INDENT = new RegExp(`^((?:${String.fromCharCode(27)}\\[\\d+m)*)( *)`);
