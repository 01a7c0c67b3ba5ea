import type { Configuration } from "../model/configuration.ts";
import type { RunEvent } from "../model/events.ts";
import type { Notification, NotifiedResult, NotifyChannel } from "../model/notification.ts";
import type { LoopResult } from "../model/records.ts";
import type { Task } from "../model/task.ts";

const TASK_CHARACTERS = 200;
const QUESTION_CHARACTERS = 300;
/** Shorter waits are over before anybody could do something about them. */
const LEAST_WAIT_MILLISECONDS = 60_000;

/** What the user may want to hear of an event; undefined for most. */
export function notificationOf(event: RunEvent, task: Task, now: Date): Notification | undefined {
  const about = {
    task_id: task.task_id,
    project: task.project,
    task: task.configuration.task.slice(0, TASK_CHARACTERS),
    at: now.toISOString(),
  };
  if (event.type === "clarification") {
    const questions = event.questions.map(({ question }) => question.slice(0, QUESTION_CHARACTERS));
    return { event: "question", ...about, questions };
  }
  if (event.type === "waiting") {
    const { code, until } = event;
    if (until - now.getTime() < LEAST_WAIT_MILLISECONDS) return undefined;
    return { event: "wait", ...about, wait: { code, until: new Date(until).toISOString() } };
  }
  if (event.type !== "run-end") return undefined;
  const { result } = event;
  return { event: result.stop_reason === "stalled" ? "stall" : "end", ...about, result: factsOf(result) };
}

/** Neither evidence nor the details of an error: they may quote anything. */
function factsOf(result: LoopResult): NotifiedResult {
  const { status, stop_reason, iterations_used, error_code, usage, final_judgment } = result;
  const evaluations = final_judgment?.evaluations ?? [];
  const criteria_met = evaluations.filter(({ is_met }) => is_met).length;
  return { status, stop_reason, iterations_used, error_code, usage, criteria_met, criteria: evaluations.length };
}

/** The channels that are to be used. A stall is an end, too. */
export function channelsFor({ event }: Notification, notify: Configuration["notify"]): NotifyChannel[] {
  const isEnd = event === "end" || event === "stall";
  const isWanted = notify.on.includes(event) || (isEnd && notify.on.includes("end"));
  const { desktop, webhook, command, on_end } = notify;
  const set = { desktop, webhook: webhook !== null, command: command !== null };
  const general = (["desktop", "webhook", "command"] as const).filter((channel) => isWanted && set[channel]);
  return isEnd && on_end !== null ? [...general, "on_end"] : general;
}
