import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ExecutionSummary } from "../../model/records.ts";
import type { FailureGroup } from "../ports/task-store.ts";
import {
  BETWEEN_TEXTS,
  DIGEST_FUNCTION,
  DIGEST_LENGTH,
  FAILURE_TEXT,
  NEWEST_GROUPS,
  OLDEST_GROUPS,
  shortened,
} from "../stores/failure-groups.ts";
import { NOTHING_KNOWN, type RecalledHistory } from "../stores/history-memory.ts";
import { literalPath, withDuckDb } from "./duckdb.ts";

/** The latest summaries of a history file and the failures before them (FR-005). A missing file has neither. */
export async function queryHistoryContext(path: string, size: number): Promise<RecalledHistory> {
  if (!(await hasContent(path))) return NOTHING_KNOWN;
  return withDuckDb(async (connection) => {
    const file = literalPath(path);
    const groups = await select(connection, GROUPS, [file, size]);
    const { since, until, digests } = groups[0] ?? {};
    if (typeof since !== "number" || typeof until !== "number") return NOTHING_KNOWN;
    const told = groups.filter(({ first_iteration }) => first_iteration !== null);
    // What another process appends between the two queries is younger than `until`.
    const firsts = told.map(({ first_iteration }) => Number(first_iteration));
    const rows = await select(connection, textsOf(firsts), [file, since, until]);
    const digests_left_out = String(digests ?? "").match(DIGEST) ?? [];
    return {
      latest: rows.filter(({ iteration }) => Number(iteration) >= since).flatMap(toSummary),
      failures: groupsOf(told, rows),
      failures_left_out: digests_left_out.length,
      digests_left_out,
    };
  });
}

/**
 * Explicit columns, because guessed ones change with the data. A line that is no record comes out as a row of nulls, and a
 * field of the wrong type as a null, so whatever the schema requires is asked for here.
 */
const summaries = (more: string) => `
  from read_json($1, format = 'newline_delimited', ignore_errors = true, columns = {
    type: 'VARCHAR', iteration: 'INTEGER', approach: 'VARCHAR', result: 'VARCHAR', reason: 'VARCHAR',
    timestamp: 'VARCHAR' ${more} })
  where type is not null and type = 'summary' and iteration >= 1 and approach is not null and reason is not null
    and timestamp is not null and result in ('success', 'failure', 'error')`;

/**
 * From which iteration to which the latest summaries go, and the groups of failures before them; their texts are looked up
 * afterwards for the few that are told: a million failures fit into little memory. The digests of the others come as one
 * long text in the first row, because a row for each would take longer than all the rest.
 */
const GROUPS = `
  with summaries as materialized (
    select iteration, case when result <> 'success' then ${digestOf("approach", "reason")} end as digest ${summaries("")}),
  latest as materialized (
    select min(iteration) as since, max(iteration) as until
    from (from summaries order by iteration desc limit $2)),
  groups as (
    select digest, count(*) as count, min(iteration) as first_iteration, max(iteration) as last_iteration
    from summaries where digest is not null and iteration < (select since from latest) group by digest),
  placed as materialized (
    select *, row_number() over (order by first_iteration) as place, count(*) over () as total from groups),
  told as (from placed where place <= ${OLDEST_GROUPS} or place > total - ${NEWEST_GROUPS}),
  others as (
    select string_agg(digest, '') as digests from placed
    where place > ${OLDEST_GROUPS} and place <= total - ${NEWEST_GROUPS})
  select since, until, case when place = 1 then digests end as digests, count::INTEGER as count,
    first_iteration, last_iteration
  from latest cross join others left join told on true order by place`;

function digestOf(approach: string, reason: string): string {
  const texts = `${shortenedIn(approach)} || chr(${BETWEEN_TEXTS}) || ${shortenedIn(reason)}`;
  return `left(${DIGEST_FUNCTION}(${texts}), ${DIGEST_LENGTH})`;
}

const DIGEST = new RegExp(`.{${DIGEST_LENGTH}}`, "g");

function shortenedIn(column: string): string {
  return `case when length(${column}) > ${FAILURE_TEXT} then left(${column}, ${FAILURE_TEXT - 1}) || '…' else ${column} end`;
}

function textsOf(iterations: readonly number[]): string {
  const alsoThese = iterations.length > 0 ? `or iteration in (${iterations.join(", ")})` : "";
  return `
    select type, iteration, approach, result, reason, artifacts, metadata, next, timestamp
    ${summaries(", artifacts: 'JSON', metadata: 'JSON', next: 'JSON'")}
      and (iteration between $2 and $3 ${alsoThese})
    order by iteration`;
}

type Row = Record<string, unknown>;

async function select(
  connection: DuckDBConnection,
  sql: string,
  [path, ...numbers]: readonly [string, ...number[]],
): Promise<Row[]> {
  const statement = await connection.prepare(sql);
  try {
    statement.bindVarchar(1, path);
    for (const [index, number] of numbers.entries()) statement.bindInteger(index + 2, number);
    return (await statement.runAndReadAll()).getRowObjectsJS();
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

function groupsOf(told: readonly Row[], rows: readonly Row[]): FailureGroup[] {
  const texts = new Map(rows.map((row) => [row.iteration, row]));
  return told.map(({ count, first_iteration, last_iteration }) => ({
    approach: shortened(String(texts.get(first_iteration)?.approach)),
    reason: shortened(String(texts.get(first_iteration)?.reason)),
    count: Number(count),
    first_iteration: Number(first_iteration),
    last_iteration: Number(last_iteration),
  }));
}

async function hasContent(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}
