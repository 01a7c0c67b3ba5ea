import process from "node:process";
import { queryTasks, VIEWS } from "../../compose/looking-back.ts";
import { E8Error } from "../../model/errors.ts";
import { csv } from "../render/csv.ts";
import { fittedTable } from "../render/fitted-table.ts";
import { terminalWidth } from "../render/width.ts";
import type { Surroundings } from "../surroundings.ts";

interface QueryOptions {
  project: string;
  json?: boolean;
  csv?: boolean;
}

type Answer = Awaited<ReturnType<typeof queryTasks>>;
type Value = Answer["rows"][number][number];

export async function queryCommand(
  sql: string | undefined,
  options: QueryOptions,
  { texts, output }: Surroundings,
): Promise<void> {
  if (options.json && options.csv)
    throw new E8Error("flag_invalid", { flag: "--csv", problem: texts.query.oneFormat, command: "query" });
  const answer = sql === undefined ? columnsOfViews() : await queryTasks(options.project, sql);
  if (options.json) return output.result(JSON.stringify(objects(answer), null, 2));
  if (options.csv) return void process.stdout.write(csv([answer.columns, ...texted(answer, "")]));
  const [head = "", ...rows] = fittedTable([answer.columns, ...texted(answer, "NULL")], terminalWidth());
  output.result(output.paint("bold", head));
  for (const row of rows) output.result(row);
  output.progress(texts.query.rows(answer.rows.length));
}

/** Without a question: what there is to ask about. */
function columnsOfViews(): Answer {
  const rows = Object.entries(VIEWS).flatMap(([view, columns]) =>
    Object.entries(columns).map(([column, type]) => [view, column, type]),
  );
  return { columns: ["view", "column", "type"], rows };
}

function objects({ columns, rows }: Answer): object[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}

function texted({ rows }: Answer, none: string): string[][] {
  return rows.map((row) => row.map((value) => textOf(value, none)));
}

function textOf(value: Value, none: string): string {
  if (value === null) return none;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
