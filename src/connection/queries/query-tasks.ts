import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult, DuckDBValue } from "@duckdb/node-api";
import { E8Error } from "../../model/errors.ts";
import type { ReportNotice } from "../ports/task-store.ts";
import { problemOf } from "../stores/files/faults.ts";
import { lastHolder } from "../stores/files/lock.ts";
import { listTasks } from "../stores/files/reading.ts";
import { projectKnowledge, taskDirectoryOf, taskPaths, tasksDirectory } from "../stores/files/task-paths.ts";
import { withDuckDb } from "./duckdb.ts";
import { type Plain, plainValue } from "./plain-values.ts";
import { readable } from "./readable.ts";
import { fillTables, type TaskData } from "./task-tables.ts";

export interface QueryAnswer {
  columns: string[];
  /** A few thousand rows at a time: an answer may be larger than memory. Whoever has seen enough stops reading. */
  batches: AsyncIterable<Plain[][]>;
}

export interface QueryReader {
  read: (answer: QueryAnswer) => Promise<void>;
  /** Takes what could not be read of the tasks. */
  report: ReportNotice;
}

/**
 * Has `read` read the answer to one SQL question about the project's tasks. The database holds copies of the records and nothing
 * else, and is shut off from files, extensions and its own settings before the question is read.
 */
export async function queryTasks(directory: string, sql: string, { read, report }: QueryReader): Promise<void> {
  const project = resolve(directory);
  const data = await dataOf(project, report);
  try {
    await withDuckDb(async (connection) => {
      await fillTables(connection, data, report);
      await connection.run("set enable_external_access = false");
      await connection.run("set lock_configuration = true");
      await read(await answer(connection, sql));
    });
  } catch (error) {
    throw error instanceof E8Error ? error : new E8Error("query_failed", { problem: said(error) }, { cause: error });
  }
}

async function dataOf(project: string, report: ReportNotice): Promise<TaskData> {
  const ids = await listTasks(project);
  const knowledge = projectKnowledge(project);
  if (ids.length === 0 && !(await exists(knowledge))) throw new E8Error("no_tasks", { directory: project });
  const found = await Promise.all(ids.map((id) => holderOf(project, id, report)));
  return { tasks: tasksDirectory(project), knowledge, holders: found.flat() };
}

async function holderOf(project: string, task_id: string, report: ReportNotice): Promise<TaskData["holders"]> {
  const { lock } = taskPaths(taskDirectoryOf(project, task_id));
  const found = existsSync(lock) && readable([lock], report).length > 0 && (await lastHolder(lock));
  return found ? [{ task_id, since: found.holder.since, is_alive: found.is_alive }] : [];
}

async function answer(connection: DuckDBConnection, sql: string): Promise<QueryAnswer> {
  const statement = await onlyStatement(connection, sql);
  const result = await statement.stream();
  return { columns: result.deduplicatedColumnNames(), batches: batchesOf(result) };
}

async function* batchesOf(result: DuckDBResult): AsyncGenerator<Plain[][]> {
  const isJson = result.columnTypes().map(({ alias }) => alias === "JSON");
  const plain = (value: DuckDBValue, column: number) => {
    const found = plainValue(value);
    return isJson[column] && typeof found === "string" ? (JSON.parse(found) as Plain) : found;
  };
  for await (const rows of result.yieldRows()) yield rows.map((row) => row.map(plain));
}

/** One statement that only reads: whatever else could be done to the copies would be lost, and surprise. */
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

/** All that the library has to say about a text without any statement in it. */
const NO_STATEMENT = "Error in native callback";

/** DuckDB's own words, which point at the place; of a library call that failed, only those. */
function said(error: unknown): string {
  return problemOf(error)
    .replace(/^Failed to extract statements: /, "")
    .trim();
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
