import type { z } from "zod";
import type { Configuration } from "../../src/model/configuration.ts";
import type { Evaluation } from "../../src/model/evaluation.ts";
import type { Notice } from "../../src/model/notices.ts";
import { ExecutionSummary, JudgmentRecord, LoopResult } from "../../src/model/records.ts";
import { Knowledge } from "../../src/model/roles.ts";
import type { Spending } from "../../src/model/usage.ts";
import { PLAIN_CONFIGURATION } from "./plain-configuration.ts";

/** Records as a run would store them, with only what a test cares about spelled out. */
export function summary(iteration: number, more: Partial<ExecutionSummary> = {}): ExecutionSummary {
  const texts = { approach: `approach ${iteration}`, reason: `reason ${iteration}` };
  const timestamp = new Date(Date.UTC(2026, 0, 23) + iteration * 1000).toISOString();
  return ExecutionSummary.parse({ type: "summary", iteration, ...texts, result: "success", timestamp, ...more });
}

export function judgment(iteration: number, evaluations: readonly z.input<typeof Evaluation>[] = []): JudgmentRecord {
  const timestamp = "2026-01-23T10:05:00Z";
  const is_complete = evaluations.length > 0 && evaluations.every(({ is_met }) => is_met);
  const verdict = { is_complete, evaluations, overall_reason: "not yet" };
  return JudgmentRecord.parse({ type: "judgment", iteration, ...verdict, timestamp });
}

export function finalResult(task_id: string): LoopResult {
  const ending = { status: "completed", stop_reason: "criteria_met", iterations_used: 1 };
  return LoopResult.parse({ type: "final_result", task_id, ...ending, timestamp: "2026-01-23T10:10:00Z" });
}

export function spending(iteration: number): Spending {
  const usage = { tokens: 10, cost_usd: 0.5, seconds: 1 };
  return { type: "spending", spender: "executor", iteration, ...usage, timestamp: "2026-01-23T10:00:00Z" };
}

export function knowledge(content: string, more: Partial<Knowledge> = {}): Knowledge {
  const origin = { source_task: "a task", created_at: "2026-01-23T10:00:00Z" };
  return Knowledge.parse({ type: "pattern", category: "testing", content, ...origin, ...more });
}

export function configuration(more: Partial<Configuration> = {}): Configuration {
  const task = { task: "Raise the coverage", criteria: [{ type: "command" as const, command: "npm test" }] };
  return { ...PLAIN_CONFIGURATION, ...task, ...more };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A place for notices to go, and what has gone there. */
export function noticeBoard() {
  const notices: Notice[] = [];
  return { notices, report: (notice: Notice) => void notices.push(notice) };
}
