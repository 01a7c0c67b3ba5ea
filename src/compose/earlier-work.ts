import type { EarlierWork } from "../execution/proof/baseline.ts";
import type { TaskId } from "../model/task.ts";
import { storeOf } from "./store.ts";

const MOST_TASKS = 10;

/** What earlier tasks of the project have done in the same directory without completing, the latest first. */
export async function earlierWork(project: string, id: TaskId, directory: string): Promise<EarlierWork[]> {
  const store = storeOf(project);
  const ids = (await store.list()).filter((one) => one < id).slice(-MOST_TASKS);
  const pasts = await Promise.all(ids.toReversed().map((one) => store.past(one).catch(() => undefined)));
  return pasts.flatMap((past, index) => {
    if (!past || past.status === "completed" || past.status === "running" || past.status === "paused") return [];
    const { start, configuration, toolchain, left } = past.task;
    if (start === undefined || configuration.working_directory !== directory) return [];
    const last = past.records.findLast((one) => one.type === "summary");
    const end = last?.type === "summary" ? last.snapshot : undefined;
    const isLatestKilled = index === 0 && past.status === "interrupted";
    const work = { start, end: isLatestKilled ? undefined : end, ...(toolchain && left && { toolchain, left }) };
    return end === undefined && !isLatestKilled ? [] : [work];
  });
}
