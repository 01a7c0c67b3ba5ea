import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { HistoryRecord, JudgmentRecord } from "../../src/model/records.ts";
import type { Started } from "./sandbox.ts";

/** Waits for a random line of progress and a little longer, so that every phase is hit on fast and slow machines. */
export async function killSomewhere(
  { child, ended }: Started,
  random: () => number,
  { lines: most }: { lines: number },
): Promise<void> {
  let lines = Math.floor(random() * most);
  const reached = new Promise<void>((resolve) => {
    if (!child.stderr) return resolve();
    createInterface({ input: child.stderr }).on("line", () => lines-- <= 0 && resolve());
  });
  await Promise.race([reached, ended]);
  await sleep(random() * 60);
  child.kill("SIGKILL");
  await ended;
}

/** A small generator with a seed, so that a failure can be looked at again. */
export function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The judgments, without those that completed the task and were made again because the run was killed before it could end. */
export function judgmentsThatCount(records: readonly HistoryRecord[]): JudgmentRecord[] {
  const judgments = records.filter((record) => record.type === "judgment");
  return judgments.filter(
    (judgment, index) => !judgment.is_complete || judgments[index + 1]?.iteration !== judgment.iteration,
  );
}
