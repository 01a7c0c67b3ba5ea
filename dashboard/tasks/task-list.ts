import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TaskRow } from "../../src/model/dashboard.ts";
import { source } from "../app/context.ts";
import { keyOf, type Problem, problemOf } from "../data/source.ts";

const rows = signal<ReadonlyMap<string, TaskRow> | undefined>(undefined);
const problem = signal<Problem | undefined>(undefined);
let isFollowed = false;

function take(changed: readonly TaskRow[]): void {
  const next = new Map(rows.peek());
  for (const row of changed) next.set(keyOf(row), row);
  rows.value = next;
}

export async function loadTasks(): Promise<void> {
  try {
    const all = await source().tasks();
    rows.value = new Map(all.map((row) => [keyOf(row), row]));
    problem.value = undefined;
  } catch (error) {
    problem.value = problemOf(error);
  }
}

/** All tasks, kept up to date from the first time that they are asked for. */
export function useTasks(): { tasks: readonly TaskRow[] | undefined; problem: Problem | undefined } {
  useEffect(() => {
    if (isFollowed) return;
    isFollowed = true;
    void loadTasks();
    source().followTasks(take);
  }, []);
  return { tasks: rows.value && [...rows.value.values()], problem: problem.value };
}
