import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toLine } from "../../src/connection/stores/files/json-lines.ts";
import { type HistoryRecord, JudgmentRecord, LoopResult } from "../../src/model/records.ts";
import type { Knowledge } from "../../src/model/roles.ts";
import { Task } from "../../src/model/task.ts";
import type { Spending } from "../../src/model/usage.ts";
import { configuration } from "../support/stored.ts";

export interface StoredTask {
  task?: Partial<Task>;
  configuration?: Parameters<typeof configuration>[0];
  records?: HistoryRecord[];
  spending?: Spending[];
  knowledge?: Knowledge[];
}

/** Puts a task on disk as a run would have left it; returns its directory. */
export async function store(project: string, id: string, stored: StoredTask = {}): Promise<string> {
  const directory = join(project, ".e8", "tasks", id);
  await mkdir(directory, { recursive: true });
  const made = Task.parse({
    version: 1,
    task_id: id,
    created_at: "2026-01-23T10:00:00.000Z",
    project,
    configuration: configuration(stored.configuration),
    intake: null,
    answers: [],
    ...stored.task,
  });
  await writeFile(join(directory, "task.json"), `${JSON.stringify(made, null, 2)}\n`);
  await writeLines(join(directory, "history.jsonl"), stored.records);
  await writeLines(join(directory, "spending.jsonl"), stored.spending);
  await writeLines(join(directory, "knowledge.jsonl"), stored.knowledge);
  return directory;
}

async function writeLines(path: string, records: readonly object[] = []): Promise<void> {
  if (records.length > 0) await writeFile(path, records.map(toLine).join(""));
}

/** A judgment with one mark a criterion, in order. */
export function judged(iteration: number, marks: readonly boolean[], more: Partial<JudgmentRecord> = {}) {
  const evaluations = marks.map((is_met, index) => ({
    id: index + 1,
    criterion: `criterion ${index + 1}`,
    is_met,
    evidence: `evidence ${index + 1} of ${iteration}`,
    confidence: 1,
    source: "command",
  }));
  const timestamp = new Date(Date.UTC(2026, 0, 23, 10) + iteration * 60_000).toISOString();
  const verdict = { is_complete: marks.every(Boolean), evaluations, overall_reason: `verdict ${iteration}` };
  return JudgmentRecord.parse({ type: "judgment", iteration, ...verdict, timestamp, ...more });
}

export function ended(task_id: string, more: Partial<LoopResult> = {}): LoopResult {
  const ending = { status: "completed", stop_reason: "criteria_met", iterations_used: 1 };
  return LoopResult.parse({ type: "final_result", task_id, ...ending, timestamp: "2026-01-23T11:00:00Z", ...more });
}
