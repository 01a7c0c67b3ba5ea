import type { QueryAnswer } from "../../compose/looking-back.ts";
import type { CliContext } from "../output.ts";
import { writeResult } from "../output.ts";
import { tableOrBlocks } from "./columns.ts";

export type RowFormat = "table" | "json" | "csv";

type Row = Parameters<typeof textOf>[0][];

/** Prints as it reads: a table of the first rows, or all of them as JSON or CSV, however many. */
export async function printRows(answer: QueryAnswer, format: RowFormat, context: CliContext): Promise<void> {
  if (format === "table") return printTable(answer, context);
  for await (const part of gathered(format === "json" ? jsonParts(answer) : csvParts(answer)))
    if (!(await writeResult(part))) return;
}

const PART_LENGTH = 65_536;

/** Few large parts instead of many small ones. */
async function* gathered(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let text = "";
  for await (const part of parts) {
    text += part;
    if (text.length < PART_LENGTH) continue;
    yield text;
    text = "";
  }
  yield text;
}

/** A table needs all of its rows before it can print one. */
const TABLE_ROWS = 1000;
const CELL_LENGTH = 1000;

async function printTable({ columns, batches }: QueryAnswer, { texts, output }: CliContext): Promise<void> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    rows.push(...batch);
    if (rows.length > TABLE_ROWS) break;
  }
  const shown = rows.slice(0, TABLE_ROWS).map((row) => row.map((value) => textOf(value, "NULL").slice(0, CELL_LENGTH)));
  for (const line of tableOrBlocks(columns, shown, output.paint)) output.result(line);
  output.progress(rows.length > TABLE_ROWS ? texts.query.firstRows(TABLE_ROWS) : texts.query.rows(rows.length));
}

/** The same text as `JSON.stringify` of the whole, in parts. */
async function* jsonParts({ columns, batches }: QueryAnswer): AsyncGenerator<string> {
  let before = "[\n";
  for await (const rows of batches)
    for (const row of rows) {
      const object = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
      yield `${before}  ${JSON.stringify(object, null, 2).replaceAll("\n", "\n  ")}`;
      before = ",\n";
    }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function* csvParts({ columns, batches }: QueryAnswer): AsyncGenerator<string> {
  yield csv([columns]);
  for await (const rows of batches) yield* rows.map((row) => csv([row.map((value) => textOf(value, ""))]));
}

function textOf(value: string | number | boolean | object | null, none: string): string {
  if (value === null) return none;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** RFC 4180: CRLF after every line, quotes around what holds a comma, a quote or a line break. */
export function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
