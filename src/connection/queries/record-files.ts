import type { DuckDBConnection } from "@duckdb/node-api";
import type { ReportNotice } from "../ports/task-store.ts";
import { fillKnowledge, type KnowledgeFile } from "./knowledge-tables.ts";

const FILE = /'((?:\.\/)?\.e8\/(?:tasks\/([^/'"]+)\/)?(history|knowledge)\.jsonl)'/g;

/** DuckDB would take a name that ends in `.jsonl` for a file. This is also what it says when there is none: "… does not exist". */
const SUFFIX = " of this project";

/** The table functions that read the lines of a file. */
const READERS = ["read_json", "read_json_auto", "read_ndjson", "read_ndjson_auto"];

/**
 * Lets a question name the files of the records, as in `read_json_auto('.e8/history.jsonl')`, although the database has no access to
 * files: each becomes a table with the columns of its view. `.e8/history.jsonl` has the records of all tasks, as where `persist` names it.
 */
export async function nameFiles(
  connection: DuckDBConnection,
  sql: string,
  { files, report }: { files: readonly KnowledgeFile[]; report: ReportNotice },
): Promise<void> {
  for (const name of READERS)
    await connection.run(`create macro ${name}(path) as table from query_table('"' || path || '${SUFFIX}"')`);
  const named = new Map([...sql.matchAll(FILE)].map(([, path = "", task, kind]) => [path, { task, kind }]));
  for (const [path, { task, kind }] of named) {
    const chosen = files.filter(({ task_id }) => (task === "*" ? task_id !== null : task_id === (task ?? null)));
    if (chosen.length === 0) continue;
    const table = `${path}${SUFFIX}`;
    const isOfOne = task !== undefined && task !== "*";
    if (kind === "history")
      await connection.run(`create view "${table}" as from history ${isOfOne ? `where task_id = '${task}'` : ""}`);
    else {
      await connection.run(`create table "${table}" as from knowledge limit 0`);
      await fillKnowledge(connection, table, { files: chosen, report });
    }
  }
}
