import { followTask } from "../compose/watch.ts";
import type { DashboardSession, ListChange, StreamedEvent } from "../model/dashboard.ts";
import { Pushed } from "../model/event-stream.ts";
import type { TaskId } from "../model/task.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import type { Wording } from "./options.ts";
import type { KnownProject, ProjectList } from "./project-list.ts";
import type { ServerEvent } from "./server-events.ts";
import type { TaskList } from "./task-list.ts";
import { eventAsTold } from "./views/readable-deep.ts";

interface Followed {
  directory: string;
  id: string;
  after: number;
  signal: AbortSignal;
}

/** The events of a task, over all its runs, as a page shows them. */
export async function* taskStream(
  { directory, ...followed }: Followed,
  wording: Wording,
  texts: Texts,
): AsyncGenerator<ServerEvent> {
  for await (const { seq, at, event } of followTask(directory, followed)) {
    const line = wording.lines(event, texts).join("\n");
    const data: StreamedEvent = { seq, at, event: eventAsTold(event, texts.language), ...(line !== "" && { line }) };
    yield { id: seq, data };
  }
}

/** What is different in the list, each time that something is: rows that have changed, tasks that are gone, projects that have come. */
export async function* listStream(
  projects: ProjectList,
  texts: Texts,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const changes = new Pushed<Change>();
  const follow = ({ key, list }: KnownProject) => list.onChange((ids) => changes.push({ key, list, ids }));
  const leaves = projects.all().map(follow);
  const more = projects.onMore((project) => {
    leaves.push(follow(project));
    changes.push({ key: project.key, list: project.list, ids: undefined });
  });
  const wake = () => changes.wake();
  signal.addEventListener("abort", wake, { once: true });
  try {
    await Promise.all(projects.all().map(({ list }) => list.rows(texts.language, [])));
    while (!signal.aborted) {
      const arrived = changes.arrived();
      const taken = changes.take();
      for (const change of taken) yield { event: "tasks", data: await listChange(change, projects, texts) };
      if (taken.length === 0 && !signal.aborted) await arrived;
    }
  } finally {
    signal.removeEventListener("abort", wake);
    for (const leave of [more, ...leaves]) leave();
  }
}

/** Of one project: the tasks that stand differently now, or all where the project itself is new. */
interface Change {
  key: string;
  list: TaskList;
  ids: readonly TaskId[] | undefined;
}

async function listChange({ key, list, ids }: Change, projects: ProjectList, { language }: Texts): Promise<ListChange> {
  const rows = await list.rows(language, ids);
  const present = new Set(rows.map(({ task_id }) => task_id));
  const gone = (ids ?? []).filter((id) => !present.has(id)).map((task_id) => ({ project: key, task_id }));
  return { rows, gone, ...(ids === undefined && { projects: namesOf(projects) }) };
}

export function namesOf(projects: ProjectList): DashboardSession["projects"] {
  return projects.all().map(({ key, name, isElsewhere }) => ({ key, name, is_elsewhere: isElsewhere }));
}
