import { z } from "zod";
import { findTask, readPast } from "../compose/looking-back.ts";
import { watchTask } from "../compose/watch.ts";
import { type Door, projectOf } from "./door.ts";
import { eventLine } from "./event-line.ts";
import { TaskChoice } from "./look.ts";
import { said } from "./results.ts";
import { TaskFacts, taskFacts } from "./task-facts.ts";
import { taskText } from "./task-text.ts";

export const WatchTask = TaskChoice.extend({
  wait_seconds: z.number().min(0).max(3_600).default(50).describe("return after this time at the latest"),
  after: z.int().min(0).default(0).describe("tell only what happened after this `last_seq` of an earlier call"),
});
export type WatchTask = z.infer<typeof WatchTask>;

export const Watched = TaskFacts.extend({
  last_seq: z.int().describe("for `after` of the next call"),
  happened: z.array(z.string()).describe("what was new, in words; the latest so many"),
});

/** Tells the client how far it is. */
export type Progress = (message: string) => void;

const MOST_LINES = 40;
const HEARTBEAT_MILLISECONDS = 10_000;

interface Waiting {
  signal: AbortSignal;
  progress: Progress;
}

/** Waits until the run ends, needs an answer, or the time is up. The run is not touched. */
export async function watch(call: WatchTask, door: Door, { signal, progress }: Waiting) {
  const project = await projectOf(door, call.project);
  const id = await findTask(project, call.task_id);
  const until = AbortSignal.any([signal, AbortSignal.timeout(call.wait_seconds * 1000)]);
  const heartbeat = setInterval(() => progress(door.texts.doors.stillWaiting(id)), HEARTBEAT_MILLISECONDS);
  try {
    const news = await follow({ project, id, after: call.after }, door, { signal: until, progress });
    const facts = taskFacts(await readPast(project, id), door);
    const text = [...news.happened, taskText(facts, door)].join("\n");
    return said(text, { ...facts, ...news });
  } finally {
    clearInterval(heartbeat);
  }
}

interface Following {
  project: string;
  id: string;
  after: number;
}

async function follow({ project, id, after }: Following, { texts }: Door, { signal, progress }: Waiting) {
  const happened: string[] = [];
  let last_seq = after;
  for await (const { seq, event } of watchTask({ project, id }, { signal })) {
    if (seq <= after) continue;
    last_seq = seq;
    const { line, isSmall } = eventLine(event, texts);
    if (line === undefined) continue;
    progress(line);
    if (!isSmall) happened.push(line);
  }
  return { last_seq, happened: happened.slice(-MOST_LINES) };
}
