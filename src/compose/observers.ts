import type { Clock } from "../connection/ports/clock.ts";
import type { RunContext } from "../execution/run-context.ts";
import { type Environment, wantsTelemetry } from "../model/environment.ts";
import type { RunEvent } from "../model/events.ts";
import type { Language } from "../model/language.ts";
import type { LoopResult } from "../model/records.ts";
import type { Redact } from "../model/redaction.ts";

type RunEvents = AsyncGenerator<RunEvent, LoopResult>;

interface Telling {
  environment?: Environment | undefined;
  clock: Clock;
  redact: Redact;
  hurry?: AbortSignal | undefined;
}

/** Loaded lazily, and only where a collector is named. */
export async function withTelemetry(
  events: RunEvents,
  { environment = process.env, clock, redact, hurry }: Telling,
): Promise<RunEvents> {
  if (!wantsTelemetry(environment)) return events;
  const { observed } = await import("./telemetry.ts");
  return observed(events, { environment, clock, redact, hurry: ownSignal(hurry) });
}

interface Notifying {
  environment: Environment;
  language?: Language | undefined;
  hurry?: AbortSignal | undefined;
}

/** Loaded lazily: most runs send no notifications. */
export async function withNotifications(
  events: RunEvents,
  context: RunContext,
  options: Notifying,
): Promise<RunEvents> {
  const { desktop, webhook, command, on_end } = context.configuration.notify;
  if (!desktop && !(webhook ?? command ?? on_end)) return events;
  const { notified } = await import("./notified.ts");
  return notified(events, context, { ...options, hurry: ownSignal(options.hurry) });
}

/** Many runs may share a signal, and Node 20 warns when more than ten listen to one. */
export function ownSignal(shared: AbortSignal | undefined): AbortSignal {
  return AbortSignal.any(shared ? [shared] : []);
}
