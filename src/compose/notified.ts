import { createNotifier } from "../connection/notifications/create-notifier.ts";
import type { Notifier } from "../connection/ports/notifier.ts";
import { notifying } from "../execution/notifying.ts";
import type { RunContext } from "../execution/run-context.ts";
import type { Environment } from "../model/environment.ts";
import type { RunEvent } from "../model/events.ts";
import type { Language } from "../model/language.ts";
import type { LoopResult } from "../model/records.ts";
import { redacted } from "../model/redaction.ts";
import { notificationText } from "../texts/notifications.ts";
import { redactionOf } from "./store.ts";

interface NotifySettings {
  environment: Environment;
  language?: Language | undefined;
  hurry: AbortSignal;
}

/** Tells the user of a run's events as its configuration wants it. A cancelled run still tells its end. */
export function notified(
  events: AsyncGenerator<RunEvent, LoopResult>,
  { configuration, ports }: RunContext,
  { environment, language = "en", hurry }: NotifySettings,
): AsyncGenerator<RunEvent, LoopResult> {
  const { commands, clock, store } = ports;
  const notifier = createNotifier({
    notify: configuration.notify,
    environment,
    commands,
    say: (notification) => notificationText(notification, language),
    signal: hurry,
  });
  const redact = redactionOf(store.task.project);
  const discreet: Notifier = {
    send: (notification, channels) => notifier.send(redacted(notification, redact), channels),
  };
  return notifying(events, { notifier: discreet, clock, task: () => store.task });
}
