import { existsSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { Knowledge } from "../../model/roles.ts";
import type { ReportNotice } from "../ports/task-store.ts";
import { readRecords } from "../stores/files/json-lines.ts";
import { contentKey, merged } from "../stores/knowledge.ts";
import { readable } from "./duckdb.ts";

/** A file of knowledge, and the task that it belongs to; null for the project's own. */
export interface KnowledgeFile {
  task_id: string | null;
  path: string;
}

/** Fills a table with what the files hold. As in `e8 knowledge`, an entry of several lines or files is one row. */
export async function fillKnowledge(
  connection: DuckDBConnection,
  table: string,
  { files, report }: { files: readonly KnowledgeFile[]; report: ReportNotice },
): Promise<void> {
  const entries: Knowledge[] = [];
  const tasks = new Map<string, string>();
  for (const { task_id, path } of files) {
    if (!existsSync(path) || readable([path], report).length === 0) continue;
    for await (const entry of readRecords(path, Knowledge, () => {})) {
      const key = contentKey(entry.content);
      if (task_id !== null && !tasks.has(key)) tasks.set(key, task_id);
      entries.push(entry);
    }
  }
  const rows = [...merged(entries)].map(([key, entry]) => ({ task_id: tasks.get(key) ?? null, ...entry }));
  await connection.run(`insert into "${table}" ${ROWS}`, [JSON.stringify(rows)]);
}

const ROWS = `
  select row.task_id, row.type, row.category, row.content, row.confidence, row.example_file, row.applied_count,
    row.source_task, try_cast(row.created_at as TIMESTAMPTZ)::TIMESTAMP
  from (select unnest(from_json($1, '[{"task_id": "VARCHAR", "type": "VARCHAR", "category": "VARCHAR",
    "content": "VARCHAR", "confidence": "VARCHAR", "example_file": "VARCHAR", "applied_count": "INTEGER",
    "source_task": "VARCHAR", "created_at": "VARCHAR"}]')) as row)`;
