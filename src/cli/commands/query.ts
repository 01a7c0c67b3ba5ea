import { type QueryAnswer, queryTasks, VIEWS } from "../../compose/looking-back.ts";
import { E8Error } from "../../model/errors.ts";
import { storedErrorText } from "../../texts/sentences.ts";
import type { CliContext } from "../output.ts";
import { warner } from "../render/progress.ts";
import { printRows, type RowFormat } from "../render/rows.ts";

interface QueryOptions {
  project: string;
  json?: boolean;
  csv?: boolean;
}

export async function queryCommand(sql: string | undefined, options: QueryOptions, context: CliContext): Promise<void> {
  const format = formatOf(options, context);
  const read = (answer: QueryAnswer) => printRows(answer, format, context);
  await (sql === undefined
    ? read(columnsOfViews())
    : queryTasks(options.project, sql, { read, report: warner(context), describeError }));
}

/** The same in every language: a question may be about it. */
function describeError(code: string, details: object | null): string {
  return storedErrorText(code, details, "en")?.message ?? code;
}

function formatOf({ json, csv }: QueryOptions, { texts }: CliContext): RowFormat {
  if (json && csv)
    throw new E8Error("flag_invalid", { flag: "--csv", problem: texts.query.oneFormat, command: "query" });
  if (json) return "json";
  return csv ? "csv" : "table";
}

/** Without a question: what there is to ask about. */
function columnsOfViews(): QueryAnswer {
  const rows = Object.entries(VIEWS).flatMap(([view, columns]) =>
    Object.entries(columns).map(([column, type]) => [view, column, type]),
  );
  const batches = async function* () {
    yield rows;
  };
  return { columns: ["view", "column", "type"], batches: batches() };
}
