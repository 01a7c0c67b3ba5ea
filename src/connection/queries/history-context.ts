import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ExecutionSummary } from "../../model/records.ts";
import type { FailureGroup } from "../ports.ts";
import { BETWEEN_TEXTS, FAILURE_TEXT, NEWEST_GROUPS, OLDEST_GROUPS } from "../stores/failure-groups.ts";
import type { RecalledHistory } from "../stores/history-memory.ts";
import { literalPath, withDuckDb } from "./duckdb.ts";

/** The latest summaries of a history file and the failures before them (FR-005). A missing file has neither. */
export async function queryHistoryContext(path: string, size: number): Promise<RecalledHistory> {
  if (!(await hasContent(path))) return { latest: [], failures: [], failures_left_out: 0, digests_left_out: [] };
  return withDuckDb(async (connection) => {
    const rows = await select(connection, LATEST, { path, number: size });
    // Another process may append between the two queries: what it adds is younger than these.
    const before = Math.min(...rows.map((row) => Number(row.iteration)));
    const groups = Number.isFinite(before) ? await select(connection, FAILURES, { path, number: before }) : [];
    const digests_left_out = groups.flatMap(({ approach, digest }) => (approach === null ? [String(digest)] : []));
    return {
      latest: rows.reverse().flatMap(toSummary),
      failures: groups.filter(({ approach }) => approach !== null).map(toGroup),
      failures_left_out: digests_left_out.length,
      digests_left_out,
    };
  });
}

/**
 * Explicit columns, because guessed ones change with the data. A line that is no record comes out as a row of nulls, and a
 * field of the wrong type as a null, so whatever the schema requires is asked for here.
 */
const SUMMARIES = `
  from read_json($1, format = 'newline_delimited', ignore_errors = true, columns = {
    type: 'VARCHAR', iteration: 'INTEGER', approach: 'VARCHAR', result: 'VARCHAR', reason: 'VARCHAR',
    artifacts: 'JSON', metadata: 'JSON', next: 'JSON', timestamp: 'VARCHAR' })
  where type is not null and type = 'summary' and iteration >= 1 and approach is not null and reason is not null
    and timestamp is not null and result in ('success', 'failure', 'error')`;

const LATEST = `
  select type, iteration, approach, result, reason, artifacts, metadata, next, timestamp ${SUMMARIES}
  order by iteration desc limit $2`;

/** Grouped by digests, and the texts looked up for the few groups that are told: a million failures fit into little memory. */
const FAILURES = `
  with failures as (select iteration, ${digest("approach", "reason")} as digest ${SUMMARIES}
    and result <> 'success' and iteration < $2),
  groups as (
    select digest, count(*) as count, min(iteration) as first_iteration, max(iteration) as last_iteration
    from failures group by digest),
  placed as (select *, row_number() over (order by first_iteration) as place, count(*) over () as total from groups),
  told as (from placed where place <= ${OLDEST_GROUPS} or place > total - ${NEWEST_GROUPS}),
  texts as (
    select iteration, ${shortened("approach")} as approach, ${shortened("reason")} as reason ${SUMMARIES}
    and iteration in (select first_iteration from told))
  select digest, approach, reason, count::INTEGER as count, first_iteration, last_iteration
  from placed left join texts on iteration = first_iteration order by place`;

function digest(approach: string, reason: string): string {
  return `sha256(${shortened(approach)} || chr(${BETWEEN_TEXTS}) || ${shortened(reason)})`;
}

function shortened(column: string): string {
  return `case when length(${column}) > ${FAILURE_TEXT} then left(${column}, ${FAILURE_TEXT - 1}) || '…' else ${column} end`;
}

type Row = Record<string, unknown>;

async function select(connection: DuckDBConnection, sql: string, values: { path: string; number: number }) {
  const statement = await connection.prepare(sql);
  try {
    statement.bindVarchar(1, literalPath(values.path));
    statement.bindInteger(2, values.number);
    const rows: Row[] = (await statement.runAndReadAll()).getRowObjectsJS();
    return rows;
  } finally {
    statement.destroySync();
  }
}

/** Nothing for a row whose nested parts do not fit the schema: the same rows that reading line by line passes over. */
function toSummary(row: Row): ExecutionSummary[] {
  const parts = Object.entries(row).filter(([, value]) => value !== null);
  const record = Object.fromEntries(parts.map(([name, value]) => [name, NESTED.has(name) ? parse(value) : value]));
  const summary = ExecutionSummary.safeParse(record).data;
  return summary ? [summary] : [];
}

const NESTED = new Set(["artifacts", "metadata", "next"]);

function parse(json: unknown): unknown {
  return JSON.parse(String(json));
}

function toGroup(row: Row): FailureGroup {
  return {
    approach: String(row.approach),
    reason: String(row.reason),
    count: Number(row.count),
    first_iteration: Number(row.first_iteration),
    last_iteration: Number(row.last_iteration),
  };
}

async function hasContent(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}
