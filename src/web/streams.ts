import { followTask } from "../compose/watch.ts";
import type { StreamedEvent } from "../model/dashboard.ts";
import { Pushed } from "../model/event-stream.ts";
import type { Texts } from "../texts/en/catalogue.ts";
import type { Wording } from "./options.ts";
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

/** The rows that have changed, each time that some have. Tasks that are gone have none: a page asks for the list again. */
export async function* listStream(
  lists: readonly TaskList[],
  texts: Texts,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const changes = new Pushed<{ list: TaskList; ids: readonly string[] }>();
  const leaves = lists.map((list) => list.onChange((ids) => changes.push({ list, ids })));
  const wake = () => changes.wake();
  signal.addEventListener("abort", wake, { once: true });
  try {
    await Promise.all(lists.map((list) => list.rows(texts.language, [])));
    while (!signal.aborted) {
      const arrived = changes.arrived();
      const taken = changes.take();
      for (const { list, ids } of taken) yield { event: "tasks", data: await list.rows(texts.language, ids) };
      if (taken.length === 0 && !signal.aborted) await arrived;
    }
  } finally {
    signal.removeEventListener("abort", wake);
    for (const leave of leaves) leave();
  }
}
