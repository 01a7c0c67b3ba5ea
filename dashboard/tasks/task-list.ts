import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ListChange, TaskRow } from "../../src/model/dashboard.ts";
import { knowProjects, loadSession, source } from "../app/context.ts";
import { keyOf, type Problem, problemOf } from "../data/source.ts";

const rows = signal<ReadonlyMap<string, TaskRow> | undefined>(undefined);
const problem = signal<Problem | undefined>(undefined);
let isFollowed = false;

function take(changes: readonly ListChange[]): void {
  const next = new Map(rows.peek());
  for (const change of changes) {
    for (const row of change.rows) next.set(keyOf(row), row);
    for (const key of change.gone) next.delete(keyOf(key));
    if (change.projects) knowProjects(change.projects);
  }
  rows.value = next;
}

/** Also the projects that have come meanwhile. */
async function loadAll(): Promise<void> {
  await Promise.all([loadSession().catch(() => {}), loadTasks()]); // the list says what is wrong
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
    source().followTasks(take, () => void loadAll());
  }, []);
  return { tasks: rows.value && [...rows.value.values()], problem: problem.value };
}
