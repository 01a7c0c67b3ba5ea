import type { DuckDBConnection } from "@duckdb/node-api";
import type { ReportNotice } from "../ports/task-store.ts";
import { literalPath, readable } from "./duckdb.ts";

/** The columns of each view with their types. docs/queries.md explains them. */
export const VIEWS = {
  tasks: {
    task_id: "VARCHAR",
    created_at: "TIMESTAMP",
    ended_at: "TIMESTAMP",
    status: "VARCHAR",
    stop_reason: "VARCHAR",
    iterations: "INTEGER",
    max_iterations: "INTEGER",
    criteria: "INTEGER",
    criteria_met: "INTEGER",
    tokens: "BIGINT",
    cost_usd: "DOUBLE",
    seconds: "DOUBLE",
    agent: "VARCHAR",
    task: "VARCHAR",
    configuration: "JSON",
  },
  history: {
    task_id: "VARCHAR",
    type: "VARCHAR",
    iteration: "INTEGER",
    timestamp: "TIMESTAMP",
    result: "VARCHAR",
    approach: "VARCHAR",
    reason: "VARCHAR",
    artifacts: "VARCHAR[]",
    tools_used: "VARCHAR[]",
    files_modified: "VARCHAR[]",
    strategy_tags: "VARCHAR[]",
    error_type: "VARCHAR",
    tokens_used: "BIGINT",
    is_complete: "BOOLEAN",
    evaluations:
      "STRUCT(id INTEGER, criterion VARCHAR, is_met BOOLEAN, evidence VARCHAR, confidence DOUBLE, source VARCHAR, outcome JSON)[]",
    overall_reason: "VARCHAR",
    suggested_next_action: "VARCHAR",
    step_id: "VARCHAR",
    intent: "VARCHAR",
    next_step: "VARCHAR",
    status: "VARCHAR",
    stop_reason: "VARCHAR",
    iterations_used: "INTEGER",
    error_code: "VARCHAR",
    error_message: "VARCHAR",
    failure: "JSON",
    reasons: "JSON",
    effect_key: "VARCHAR",
    stage: "VARCHAR",
    raw_log_path: "VARCHAR",
  },
  knowledge: {
    task_id: "VARCHAR",
    type: "VARCHAR",
    category: "VARCHAR",
    content: "VARCHAR",
    confidence: "VARCHAR",
    example_file: "VARCHAR",
    applied_count: "INTEGER",
    source_task: "VARCHAR",
    created_at: "TIMESTAMP",
  },
} as const;

/** The text of an error, for records that hold only its code and details. */
export type DescribeError = (code: string, details: Readonly<Record<string, unknown>> | null) => string;

export interface TaskData {
  /** `.e8/tasks` of the project. */
  tasks: string;
  /** The project's own knowledge. */
  knowledge: string;
  /** The runs that hold a task's lock, or held it when they were killed. */
  holders: readonly { task_id: string; since: string; is_alive: boolean }[];
}

export interface FillOptions {
  report: ReportNotice;
  describeError: DescribeError;
}

/** Copies the records into memory: afterwards the database needs no files. */
export async function fillTables(
  connection: DuckDBConnection,
  data: TaskData,
  { report, describeError }: FillOptions,
): Promise<void> {
  await connection.run("set TimeZone = 'UTC'"); // a date without a zone is UTC
  await connection.run("set threads = 1"); // several keep a large block for each file: a thousand tasks take more than 1 GB
  for (const [name, columns] of Object.entries(VIEWS)) await connection.run(definition(name, columns));
  await connection.run("create temp table task_files (task_id VARCHAR, task JSON)");
  await connection.run(`create temp table spending (task_id VARCHAR, spent_at TIMESTAMP, usage ${USAGE})`);
  await connection.run("create temp table holders (task_id VARCHAR, since TIMESTAMP, is_alive BOOLEAN)");
  await connection.run(`alter table history add column usage ${USAGE}`);
  await connection.run("alter table history add column error_details JSON");
  const all = (name: string) => `${literalPath(data.tasks)}/*/${name}`;
  const insert = (sql: string, pattern: string) => insertFiles(connection, sql, { pattern, report });
  await insert(TASK_FILES, all("task.json"));
  await insert(HISTORY, all("history.jsonl"));
  await insert(SPENDING, all("spending.jsonl"));
  await insert(KNOWLEDGE, all("knowledge.jsonl"));
  await insert(KNOWLEDGE, literalPath(data.knowledge));
  for (const { task_id, since, is_alive } of data.holders)
    await connection.run(`insert into holders values ($1, ${instant("$2")}, $3)`, [task_id, since, is_alive]);
  await connection.run(TASKS);
  for (const name of ["task_files", "spending", "holders"]) await connection.run(`drop table ${name}`);
  await describeErrors(connection, describeError);
  for (const column of ["usage", "error_details"]) await connection.run(`alter table history drop column ${column}`);
  await connection.run("set threads = 2");
}

function definition(name: string, columns: Readonly<Record<string, string>>): string {
  const list = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`);
  return `create table ${name} (${list.join(", ")})`;
}

/** DuckDB fails for a pattern without files and for an unreadable file; here such a table stays empty. */
async function insertFiles(
  connection: DuckDBConnection,
  sql: string,
  { pattern, report }: { pattern: string; report: ReportNotice },
): Promise<void> {
  const found = await connection.runAndReadAll("select file from glob($1)", [pattern]);
  const files = found.getRows().map(([file]) => String(file));
  const usable = readable(files, report);
  if (usable.length === 0) return;
  const { listValue } = await import("@duckdb/node-api");
  await connection.run(sql, [usable.length === files.length ? pattern : listValue(usable.map(literalPath))]);
}

async function describeErrors(connection: DuckDBConnection, describeError: DescribeError): Promise<void> {
  const found = await connection.runAndReadAll(
    "select rowid, error_code, error_details from history where error_code is not null and error_message is null",
  );
  const rows = found.getRows();
  if (rows.length === 0) return;
  const { listValue } = await import("@duckdb/node-api");
  const texts = rows.map(([, code, details]) =>
    describeError(String(code), typeof details === "string" ? JSON.parse(details) : null),
  );
  await connection.run(
    `update history set error_message = described.text
     from (select unnest($1) as place, unnest($2) as text) described where history.rowid = described.place`,
    [listValue(rows.map(([place = null]) => place)), listValue(texts)],
  );
}

const ID = String.raw`regexp_extract(filename, '[/\\]tasks[/\\](\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(-\d+)?)[/\\][^/\\]+$', 1)`;

function instant(text: string): string {
  return `try_cast(${text} as TIMESTAMPTZ)::TIMESTAMP`;
}

const USAGE = "STRUCT(tokens DOUBLE, cost_usd DOUBLE, seconds DOUBLE)";

/** A damaged task.json must not hide the others. */
const TASK_FILES = `
  insert into task_files select ${ID}, case when json_valid(text) then text end
  from (select filename, try(decode(content)) as text from read_blob($1)) where ${ID} <> ''`;

/** Explicit columns, because guessed ones change with the data. A line that is not a record becomes a row of nulls. */
function records(columns: string): string {
  return `from read_json($1, format = 'newline_delimited', ignore_errors = true, filename = true, columns = {${columns}})`;
}

const HISTORY = `
  insert into history select ${ID}, type, iteration, ${instant("timestamp")}, result, approach, reason, artifacts,
    metadata.tools_used, metadata.files_modified, metadata.strategy_tags, metadata.error_type, metadata.tokens_used,
    is_complete, evaluations, overall_reason, suggested_next_action,
    flow.step_id, flow.intent, flow.next_step, status, stop_reason, iterations_used, error_code, error_message,
    failure, reasons, key, stage, raw_log_path, usage, error_details
  ${records(`type: 'VARCHAR', iteration: 'INTEGER', timestamp: 'VARCHAR', result: 'VARCHAR', approach: 'VARCHAR',
    reason: 'VARCHAR', artifacts: 'VARCHAR[]', metadata: 'STRUCT(tools_used VARCHAR[], files_modified VARCHAR[],
    strategy_tags VARCHAR[], error_type VARCHAR, tokens_used BIGINT)', is_complete: 'BOOLEAN',
    evaluations: '${VIEWS.history.evaluations}', overall_reason: 'VARCHAR', suggested_next_action: 'VARCHAR',
    flow: 'STRUCT(step_id VARCHAR, intent VARCHAR, next_step VARCHAR)', status: 'VARCHAR', stop_reason: 'VARCHAR',
    iterations_used: 'INTEGER', error_code: 'VARCHAR', error_message: 'VARCHAR', failure: 'JSON',
    reasons: 'JSON', key: 'VARCHAR', stage: 'VARCHAR', raw_log_path: 'VARCHAR', usage: '${USAGE}', error_details: 'JSON'`)}
  where type in ('summary', 'judgment', 'effect', 'final_result') and ${ID} <> ''`;

const SPENDING = `
  insert into spending select ${ID}, ${instant("timestamp")}, {tokens: tokens, cost_usd: cost_usd, seconds: seconds}
  ${records("type: 'VARCHAR', timestamp: 'VARCHAR', tokens: 'DOUBLE', cost_usd: 'DOUBLE', seconds: 'DOUBLE'")}
  where type = 'spending' and ${ID} <> ''`;

const KNOWLEDGE = `
  insert into knowledge select nullif(${ID}, ''), type, category, content, coalesce(confidence, 'medium'), example_file,
    coalesce(applied_count, 0), source_task, ${instant("created_at")}
  ${records(`type: 'VARCHAR', category: 'VARCHAR', content: 'VARCHAR', confidence: 'VARCHAR', example_file: 'VARCHAR',
    applied_count: 'INTEGER', source_task: 'VARCHAR', created_at: 'VARCHAR'`)}
  where type is not null and category is not null and content is not null and source_task is not null`;

/** The sum of the ledger, or the sum of the last ending and the lines since: the larger counts, as in `spentInAll`. */
function spent(what: string): string {
  const ended = `coalesce(any_value(ending.usage.${what}), 0)`;
  const since = `sum(spending.usage.${what}) filter (ending.ended_at is null or spent_at > ending.ended_at)`;
  return `greatest(coalesce(sum(spending.usage.${what}), 0), ${ended} + coalesce(${since}, 0)) as ${what}`;
}

/**
 * The same status, numbers and sums as in `e8 list`: rows keep the order of the files, so the last row is the last record. An ending
 * older than a lock that was left behind is not the ending of the last run.
 */
const TASKS = `
  insert into tasks
  with ends as (
    select task_id, arg_max(type, rowid) = 'final_result' as is_last,
      arg_max({status: status, stop_reason: stop_reason, ended_at: timestamp, usage: usage}, rowid)
        filter (type = 'final_result') as ending,
      max(iteration) filter (type = 'summary') as iterations,
      arg_max(len(list_filter(evaluations, lambda one: one.is_met)), rowid) filter (type = 'judgment') as met
    from history group by task_id),
  standing as (
    select task_id, iterations, met, ending, coalesce(is_alive, false) as is_running,
      is_last and not is_running and (ending.status = 'completed' or since is null or since <= ending.ended_at) as has_ended
    from task_files left join ends using (task_id) left join holders using (task_id)),
  sums as (
    select task_id, ${spent("tokens")}, ${spent("cost_usd")}, ${spent("seconds")}
    from standing left join spending using (task_id) group by task_id)
  select task_id, ${instant("task ->> '$.created_at'")}, case when has_ended then ending.ended_at end,
    case when is_running then 'running' when has_ended then ending.status else 'interrupted' end,
    case when has_ended then ending.stop_reason end, coalesce(iterations, 0),
    (task ->> '$.configuration.max_iterations')::INTEGER, json_array_length(task, '$.configuration.criteria'),
    coalesce(met, 0), tokens::BIGINT, cost_usd, seconds,
    coalesce(task ->> '$.flow.name', task ->> '$.agent.name'), task ->> '$.configuration.task', task -> '$.configuration'
  from task_files join standing using (task_id) join sums using (task_id)
  where task is not null
  order by task_id[:19], coalesce(try_cast(task_id[21:] as INTEGER), 1)`;
