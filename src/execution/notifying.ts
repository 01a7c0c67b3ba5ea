import type { Clock } from "../connection/ports/clock.ts";
import type { Notifier, NotifyFailure } from "../connection/ports/notifier.ts";
import { channelsFor, notificationOf } from "../judgment/notifications.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { NotifyEvent } from "../model/notification.ts";
import type { LoopResult } from "../model/records.ts";
import type { Task } from "../model/task.ts";

interface Notifying {
  notifier: Notifier;
  clock: Clock;
  task: () => Task;
}

/**
 * Tells the user of a run's events while they are away. The run does not wait for it, except at its end, and is not changed by it: a
 * notification that fails is a notice.
 */
export function notifying(
  events: AsyncGenerator<RunEvent, LoopResult>,
  { notifier, clock, task }: Notifying,
): AsyncGenerator<RunEvent, LoopResult> {
  const sending: Promise<void>[] = [];
  const failures: NotifyFailure[] = [];
  const told = new Set<NotifyEvent>();
  const tell = (event: RunEvent) => {
    const notification = notificationOf(event, task(), clock.now());
    if (!notification || told.has(notification.event)) return;
    const wanted = channelsFor(notification, task().configuration.notify);
    // The end of a run whose questions were passed on is no news.
    const channels = told.has("question") && event.type === "run-end" ? wanted.filter(isForEnd) : wanted;
    told.add(notification.event);
    if (channels.length > 0)
      sending.push(notifier.send(notification, channels).then((failed) => void failures.push(...failed)));
  };
  return through(events, async function* (event): AsyncGenerator<RunEvent> {
    if (GOING_ON.has(event.type)) told.clear();
    tell(event);
    if (event.type === "run-end") await Promise.all(sending);
    for (const { channel, problem } of failures.splice(0))
      yield { type: "notice", notice: notice("notification_failed", { channel, problem }) };
    yield event;
  });
}

/** After one of these, a wait or a question is news again. */
const GOING_ON: ReadonlySet<RunEvent["type"]> = new Set(["summary", "tool-call", "phase-start"]);

function isForEnd(channel: string): boolean {
  return channel === "on_end";
}
