import type { TaskPast } from "../connection/ports/task-store.ts";
import type { ComparedProof, ComparedRun } from "../model/comparison.ts";
import type { HistoryRecord, LoopResult } from "../model/records.ts";
import { addUsage, NOTHING_SPENT, type Spending, type UnknownAmount, type Usage } from "../model/usage.ts";

type Facts = Pick<TaskPast, "task" | "records" | "spending" | "status" | "result" | "iterations">;

/**
 * An entry as its own records say, up to its completion: what merging it has taken later is not part of the comparison. Undefined for a
 * task of no comparison.
 */
export function comparedRun(past: Facts, worktree: string | null): ComparedRun | undefined {
  const { task, spending } = past;
  const { comparison, place, task_id, configuration } = task;
  if (!comparison) return undefined;
  const ended = completionOf(past.records) ?? past.result;
  const counted = ended ? spending.filter(({ timestamp }) => timestamp <= ended.timestamp) : spending;
  const judged = ended?.final_judgment?.evaluations ?? lastOf(past.records, "judgment")?.evaluations ?? [];
  const isBegun = past.records.length > 0 || place !== undefined;
  return {
    ...{ number: comparison.number, agent: comparison.agent, task_id },
    status: isBegun || past.status === "running" ? statusOf(past) : "not_begun",
    stop_reason: ended?.stop_reason ?? null,
    criteria_met: judged.filter(({ is_met }) => is_met).length,
    criteria: Math.max(judged.length, configuration.criteria.length),
    proof: proofOf(ended, past.records),
    iterations: ended?.iterations_used ?? past.iterations,
    ...{ seconds: ended?.usage.seconds ?? secondsOf(counted), ...spentOn(counted) },
    changes: ended?.change_totals ?? null,
    ...{ branch: place?.branch ?? null, worktree, landing: lastOf(past.records, "landing")?.outcome ?? null },
    kept_commit: worktree === null ? (place?.tip ?? null) : null,
  };
}

/** A run whose work could not be merged was completed before. */
function statusOf({ records, status }: Facts): ComparedRun["status"] {
  return status === "running" || status === "paused" || !completionOf(records) ? status : "completed";
}

/** Its first completion. */
export function completionOf(records: readonly HistoryRecord[]): LoopResult | undefined {
  return records.find((one): one is LoopResult => one.type === "final_result" && one.status === "completed");
}

function lastOf<T extends HistoryRecord["type"]>(records: readonly HistoryRecord[], type: T) {
  return records.findLast((one): one is Extract<HistoryRecord, { type: T }> => one.type === type);
}

function proofOf(ended: LoopResult | undefined, records: readonly HistoryRecord[]): ComparedProof {
  const { holds, method } = ended?.proof ?? {};
  if (holds && method !== "none") return method ?? null;
  if (ended?.status === "completed") return null;
  return lastOf(records, "proof")?.holds === false ? "refuted" : null;
}

function secondsOf(spending: readonly Spending[]): number {
  return spending.reduce<Usage>(addUsage, NOTHING_SPENT).seconds;
}

/** What is known in part only is unknown. So is all of a task whose worker has yet to spend something. */
export function spentOn(spending: readonly Spending[]): Pick<ComparedRun, "tokens" | "cost_usd" | "least_cost_usd"> {
  const { tokens, cost_usd, unknown = [] } = spending.reduce<Usage>(addUsage, NOTHING_SPENT);
  const hasWorked = spending.some(({ spender }) => spender === "executor");
  const told = (amount: UnknownAmount) => hasWorked && !unknown.includes(amount);
  return {
    tokens: told("tokens") ? tokens : null,
    cost_usd: told("cost") ? cost_usd : null,
    least_cost_usd: cost_usd,
  };
}
