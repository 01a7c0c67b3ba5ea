import { useEffect } from "preact/hooks";
import { replaceBy } from "../app/route.ts";
import { useTasks } from "./task-list.ts";
import { TasksPage } from "./tasks-page.tsx";

/** Goes to the task that began last, as soon as there is one: what it does now is what its reader has come for. */
export function LatestPage() {
  const { tasks } = useTasks();
  const [latest] = tasks?.toSorted((left, right) => right.created_at.localeCompare(left.created_at)) ?? [];
  useEffect(() => {
    if (latest) replaceBy({ page: "task", project: latest.project, id: latest.task_id, tab: "live" });
  }, [latest]);
  return <TasksPage />;
}
