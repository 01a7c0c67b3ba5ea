import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { Evaluation, refutationOf } from "../../model/evaluation.ts";
import { MessageRecord } from "../../model/message-record.ts";
import { ExecutionSummary } from "../../model/records.ts";
import type { FailureGroup, JudgedSummary } from "../ports/open-task.ts";
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

/** The latest summaries of a history file, and the failures and refuted successes before them (FR-005). Both are empty for a missing file. */
export async function queryHistoryContext(path: string, size: number): Promise<RecalledHistory> {
  const { size: bytes } = await stat(path).catch(() => ({ size: 0 }));
  if (bytes === 0) return NOTHING_KNOWN;
  return withDuckDb(async (connection) => {
    const file = literalPath(path);
    const groups = await select(connection, GROUPS, [file, size]);
    const { since, until, digests } = groups[0] ?? {};
    if (typeof since !== "number" || typeof until !== "number") return NOTHING_KNOWN;
    const told = groups.filter(({ first_iteration }) => first_iteration !== null);
    // Records that another process appends between the two queries are later than `until`.
    const firsts = told.map(({ first_iteration }) => Number(first_iteration));
    const rows = await select(connection, textsOf(firsts), [file, since, until]);
    const digests_left_out = String(digests ?? "").match(DIGESTS) ?? [];
    return {
      latest: rows.filter(({ iteration }) => Number(iteration) >= since).flatMap(toSummary),
      failures: groupsOf(told, rows),
      failures_left_out: digests_left_out.length,
      digests_left_out,
    };
  });
}

/**
 * Explicit columns, because guessed ones change with the data. A line that is not a record becomes a row of nulls, and a field of the
 * wrong type a null, so the fields that the schema requires are required here. Of judgments, only an incomplete one can refute its
 * summary, and an iteration has at most one.
 */
const records = (more: string) => `
  from read_json($1, format = 'newline_delimited', ignore_errors = true, columns = {
    type: 'VARCHAR', iteration: 'INTEGER', approach: 'VARCHAR', result: 'VARCHAR', reason: 'VARCHAR',
    timestamp: 'VARCHAR', failure: 'JSON', is_complete: 'BOOLEAN', overall_reason: 'VARCHAR', ${more} })
  where type is not null and iteration >= 1 and timestamp is not null and (
    type = 'summary' and approach is not null and reason is not null and result in ('success', 'failure', 'error')
    or type = 'judgment' and overall_reason is not null and evaluations is not null and not is_complete)`;

function shortenedIn(text: string): string {
  return `case when length(${text}) > ${FAILURE_TEXT} then left(${text}, ${FAILURE_TEXT - 1}) || '…' else ${text} end`;
}

/** As `JSON.stringify` writes it: in `\u001b` DuckDB uses capital letters. */
const FAILURE_JSON = ["0b", "0e", "0f", "1a", "1b", "1c", "1d", "1e", "1f"].reduce(
  (json, code) => `replace(${json}, '\\u00${code.toUpperCase()}', '\\u00${code}')`,
  "failure::VARCHAR",
);

/** The same as in `failure-groups.ts`. A record without a failure of ours adds nothing to it. */
const DIGEST_TEXT = `${shortenedIn("approach")} || chr(${BETWEEN_TEXTS}) || ${shortenedIn("reason")}
  || coalesce(chr(${BETWEEN_TEXTS}) || ${shortenedIn(FAILURE_JSON)}, '')`;

const digestOf = (text: string) => `left(${DIGEST_FUNCTION}(${text}), ${DIGEST_LENGTH})`;
const DIGESTS = new RegExp(`.{${DIGEST_LENGTH}}`, "g");

/** The numbers of the criteria that refute a success, as `refutationOf` finds them. */
const REFUTING = `array_to_string([one.id for one in evaluations if not one.is_met and
  (one.source in ('command', 'files') or coalesce(one.source, 'judge') = 'judge' and one.outcome is null)], ',')`;

/**
 * The first and last iteration of the latest summaries, and the groups of failures before them. A second query fetches the texts of
 * the few groups that are told, so a million failures fit into little memory. The digests of the other groups come as one long text
 * in the first row, because a row for each would take longer than everything else.
 */
const GROUPS = `
  with records as materialized (
    select type, iteration, result,
      case when type = 'summary' then ${digestOf(DIGEST_TEXT)} end as texts,
      case when type = 'judgment' then ${REFUTING} end as refuting
    ${records("evaluations: 'STRUCT(id INTEGER, is_met BOOLEAN, source VARCHAR, outcome JSON)[]'")}),
  judgments as (select iteration, max(refuting) as criteria from records where type = 'judgment' group by iteration),
  summaries as materialized (
    select iteration, case when result <> 'success' then texts
      when criteria <> '' then ${digestOf(`texts || chr(${BETWEEN_TEXTS}) || criteria`)} end as digest
    from records left join judgments using (iteration) where type = 'summary'),
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

function textsOf(iterations: readonly number[]): string {
  const alsoThese = iterations.length > 0 ? `or iteration in (${iterations.join(", ")})` : "";
  return `
    with records as materialized (
      select type, iteration, approach, result, reason, failure, is_cut, artifacts, metadata, next, timestamp, evaluations
      ${records("is_cut: 'BOOLEAN', artifacts: 'JSON', metadata: 'JSON', next: 'JSON', evaluations: 'JSON'")}
        and (iteration between $2 and $3 ${alsoThese})),
    judgments as (
      select iteration, any_value(evaluations) as evaluations from records where type = 'judgment' group by iteration)
    select summaries.* exclude (evaluations), judgments.evaluations
    from records as summaries left join judgments using (iteration) where type = 'summary'
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

/** Empty for a row whose nested parts do not fit the schema: reading line by line skips the same rows. */
function toSummary({ evaluations, ...row }: Row): JudgedSummary[] {
  const parts = Object.entries(row).filter(([, value]) => value !== null);
  const record = Object.fromEntries(parts.map(([name, value]) => [name, NESTED.has(name) ? parse(value) : value]));
  const summary = ExecutionSummary.safeParse(record).data;
  return summary ? [{ ...summary, ...refutationOf(summary.result, toEvaluations(evaluations)) }] : [];
}

const NESTED = new Set(["artifacts", "metadata", "next", "failure"]);

function parse(json: unknown): unknown {
  return JSON.parse(String(json));
}

function toEvaluations(json: unknown): Evaluation[] {
  return Evaluation.array().safeParse(parse(json ?? "[]")).data ?? [];
}

function groupsOf(told: readonly Row[], rows: readonly Row[]): FailureGroup[] {
  const texts = new Map(rows.map((row) => [row.iteration, row]));
  return told.map(({ count, first_iteration, last_iteration }) => {
    const first = texts.get(first_iteration);
    const failure = MessageRecord.safeParse(parse(first?.failure ?? null)).data;
    return {
      approach: shortened(String(first?.approach)),
      reason: shortened(String(first?.reason)),
      ...(failure && { failure }),
      ...refutationOf(String(first?.result), toEvaluations(first?.evaluations)),
      count: Number(count),
      first_iteration: Number(first_iteration),
      last_iteration: Number(last_iteration),
    };
  });
}
