import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type {
  DuckDBConnection,
  DuckDBPreparedStatement,
  DuckDBResult,
  DuckDBType,
  DuckDBValue,
} from "@duckdb/node-api";
import { E8Error } from "../../model/errors.ts";
import type { ReportNotice } from "../ports/task-store.ts";
import { problemOf } from "../stores/files/faults.ts";
import { lastHolder } from "../stores/files/lock.ts";
import { listTasks } from "../stores/files/reading.ts";
import { isPaused } from "../stores/files/requests.ts";
import { projectKnowledge, taskDirectoryOf, taskPaths, tasksDirectory } from "../stores/files/task-paths.ts";
import { readable, withDuckDb } from "./duckdb.ts";
import { nameFiles } from "./record-files.ts";
import { type DescribeError, fillTables, type TaskData } from "./task-tables.ts";

export interface QueryAnswer {
  columns: string[];
  /** A few thousand rows each: an answer may be larger than memory, and the reader may stop early. */
  batches: AsyncIterable<Plain[][]>;
}

export interface QueryReader {
  read: (answer: QueryAnswer) => Promise<void>;
  /** Gets a notice for each file that cannot be read. */
  report: ReportNotice;
  describeError?: DescribeError;
}

/** Passes the answer to one SQL question about the project's tasks, which are files, to `read`. */
export async function queryTasks(directory: string, sql: string, reader: QueryReader): Promise<void> {
  await queryData(await dataOf(resolve(directory), reader.report), sql, reader);
}

/** The database holds only copies of the records, and loses access to files, extensions and its own settings before it sees the question. */
export async function queryData(data: TaskData, sql: string, reader: QueryReader): Promise<void> {
  const { read, report, describeError = codeAndDetails } = reader;
  try {
    await withDuckDb(async (connection) => {
      await fillTables(connection, data, { report, describeError });
      await nameFiles(connection, sql, { files: data.knowledge, report });
      await connection.run("set enable_external_access = false");
      await connection.run("set lock_configuration = true");
      await read(await answer(connection, sql));
    });
  } catch (error) {
    throw error instanceof E8Error ? error : new E8Error("query_failed", { problem: said(error) }, { cause: error });
  }
}

const codeAndDetails: DescribeError = (code, details) => (details ? `${code} ${JSON.stringify(details)}` : code);

async function dataOf(project: string, report: ReportNotice): Promise<TaskData> {
  const ids = await listTasks(project);
  const shared = projectKnowledge(project);
  if (ids.length === 0 && !existsSync(shared)) throw new E8Error("no_tasks", { directory: project });
  const own = ids.map((id) => ({ task_id: id, path: taskPaths(taskDirectoryOf(project, id)).knowledge }));
  const found = await Promise.all(ids.map((id) => holderOf(project, id, report)));
  return {
    tasks: tasksDirectory(project),
    knowledge: [...own, { task_id: null, path: shared }],
    holders: found.flat(),
  };
}

async function holderOf(project: string, task_id: string, report: ReportNotice): Promise<TaskData["holders"]> {
  const path = taskDirectoryOf(project, task_id);
  const { lock } = taskPaths(path);
  const found = existsSync(lock) && readable([lock], report).length > 0 && (await lastHolder(lock));
  if (!found) return [];
  const { holder, is_alive } = found;
  return [{ task_id, since: holder.since, is_alive, is_paused: isPaused({ path }, holder) }];
}

async function answer(connection: DuckDBConnection, sql: string): Promise<QueryAnswer> {
  const statement = await onlyStatement(connection, sql);
  const result = await statement.stream();
  return { columns: result.deduplicatedColumnNames(), batches: batchesOf(result) };
}

async function* batchesOf(result: DuckDBResult): AsyncGenerator<Plain[][]> {
  const types = result.columnTypes();
  const plain = (value: DuckDBValue, column: number) => plainValue(value, types[column]);
  for await (const rows of result.yieldRows()) yield rows.map((row) => row.map(plain));
}

/** One statement that only reads: a change to the copies would be lost, and surprise. */
async function onlyStatement(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const { StatementType } = await import("@duckdb/node-api");
  const statements = await connection.extractStatements(sql).catch((error) => {
    throw problemOf(error) === NO_STATEMENT ? new E8Error("query_not_one", {}, { cause: error }) : error;
  });
  if (statements.count !== 1) throw new E8Error("query_not_one", {});
  const statement = await statements.prepare(0);
  const { statementType: type } = statement;
  if (type !== StatementType.SELECT && type !== StatementType.EXPLAIN) throw new E8Error("query_not_reading", {});
  return statement;
}

/** The library's whole message for a text without a statement. */
const NO_STATEMENT = "Error in native callback";

/** DuckDB's own message, which shows the place, without the name of the failed call. */
function said(error: unknown): string {
  return problemOf(error)
    .replace(/^Failed to extract statements: /, "")
    .trim();
}

/** A JSON value. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/**
 * A value of DuckDB as JSON. Whole numbers too large for a JSON number become text, times become ISO 8601 in UTC, and values without
 * a JSON form (intervals, blobs) are written as DuckDB writes them.
 */
function plainValue(value: DuckDBValue, type?: DuckDBType): Plain {
  if (typeof value === "string") return type?.alias === "JSON" ? (JSON.parse(value) as Plain) : value;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if ("items" in value) return [...value.items].map((item) => plainValue(item, elementType(type)));
  if ("entries" in value) return plainEntries(value.entries, type);
  if ("tag" in value) return plainValue(value.value);
  if ("toDouble" in value) return value.toDouble();
  return isoTime(String(value));
}

type Entries = { readonly [name: string]: DuckDBValue } | readonly { key: DuckDBValue; value: DuckDBValue }[];

function plainEntries(entries: Entries, type: DuckDBType | undefined): Plain {
  const pairs = Array.isArray(entries)
    ? entries.map(({ key, value }): [string, Plain] => [String(key), plainValue(value, elementType(type))])
    : Object.entries(entries).map(([key, value]): [string, Plain] => [key, plainValue(value, entryType(type, key))]);
  return Object.fromEntries(pairs);
}

/** Of a list, an array or a map. */
function elementType(type: DuckDBType | undefined): DuckDBType | undefined {
  return type && "valueType" in type ? type.valueType : undefined;
}

function entryType(type: DuckDBType | undefined, name: string): DuckDBType | undefined {
  return type && "typeForEntry" in type ? type.typeForEntry(name) : undefined;
}

/** DuckDB writes times without a zone as `2026-01-23 10:00:00.5`, and with one as `… +00`: here both are UTC. */
function isoTime(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/, "$1T$2Z");
}
