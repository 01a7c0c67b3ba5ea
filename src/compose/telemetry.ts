import type { Clock } from "../connection/ports/clock.ts";
import { createTelemetry } from "../connection/telemetry/exporter.ts";
import type { Environment } from "../model/environment.ts";
import { through } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { LoopResult } from "../model/records.ts";
import { type Redact, redacted } from "../model/redaction.ts";

interface Observing {
  environment: Environment;
  clock: Pick<Clock, "now">;
  redact: Redact;
  /** Aborts what is still being sent. */
  hurry: AbortSignal;
}

/**
 * Sends the events of a run as traces and metrics. The run does not wait for it, except at its end, and is not changed by it: what
 * did not arrive is a notice.
 */
export function observed(
  events: AsyncGenerator<RunEvent, LoopResult>,
  { environment, clock, redact, hurry }: Observing,
): AsyncGenerator<RunEvent, LoopResult> {
  const telemetry = createTelemetry(environment, clock.now(), hurry);
  return through(events, async function* (event): AsyncGenerator<RunEvent> {
    telemetry.see(redacted(event, redact), clock.now());
    if (event.type === "run-end") {
      const problem = await telemetry.close(clock.now());
      if (problem !== undefined) yield { type: "notice", notice: notice("telemetry_failed", { problem }) };
    }
    yield event;
  });
}
