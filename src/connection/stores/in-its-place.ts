import { isAbsolute, join, relative, sep } from "node:path";
import type { Task } from "../../model/task.ts";

/** The project may have been moved or copied since the task began, or it is on another machine: paths inside it follow. */
export function inItsPlace(task: Task, project: string): Task {
  if (task.project === project) return task;
  const { configuration, flow, task_file } = task;
  const now = (directory: string) => {
    const inside = relative(task.project, directory);
    return isAbsolute(directory) && inside.split(sep)[0] !== ".." ? join(project, inside) : directory;
  };
  return {
    ...task,
    project,
    configuration: { ...configuration, working_directory: now(configuration.working_directory) },
    flow: flow && { ...flow, directory: now(flow.directory) },
    ...(task_file !== undefined && { task_file: now(task_file) }),
  };
}
