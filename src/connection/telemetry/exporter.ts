import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Environment } from "../../model/environment.ts";
import type { RunEvent } from "../../model/events.ts";
import { fetchThrough } from "../fetch.ts";
import { RunMetrics } from "./metrics.ts";
import { type Attributes, type FinishedSpan, metricsBody, tracesBody } from "./otlp.ts";
import { type Signal, type TelemetrySettings, telemetrySettings } from "./settings.ts";
import { RunTrace } from "./trace.ts";

/** Follows a run for OpenTelemetry. Nothing here throws: a collector that is away is not the run's trouble. */
export interface Telemetry {
  see(event: RunEvent, now: Date): void;
  /** Sends what is left. Returns what kept something from arriving, if anything did. */
  close(now: Date): Promise<string | undefined>;
}

const SEND_MILLISECONDS = 5_000;
const METRICS_MILLISECONDS = 60_000;
const MOST_SPANS = 2_048;

export function createTelemetry(environment: Environment, now: Date, signal: AbortSignal): Telemetry {
  return new OtlpTelemetry(environment, now, signal);
}

class OtlpTelemetry implements Telemetry {
  readonly #settings: TelemetrySettings;
  readonly #send: (signal: Signal, body: object) => Promise<void>;
  readonly #trace: RunTrace;
  readonly #metrics: RunMetrics;
  readonly #resource: Attributes;
  #waiting: FinishedSpan[] = [];
  /** The last of each signal, while it is not made up for. */
  readonly #problems = new Map<Signal, string>();
  #sending: Promise<void> = Promise.resolve();
  #sentAt: number;
  #metricsAt: number;

  constructor(environment: Environment, now: Date, signal: AbortSignal) {
    const settings = telemetrySettings(environment);
    this.#settings = settings;
    this.#send = (kind, body) => post({ kind, body, settings, environment, signal });
    this.#trace = new RunTrace({ parent: environment.TRACEPARENT, has_content: settings.has_content });
    this.#metrics = new RunMetrics(now.getTime(), settings.is_delta);
    this.#resource = { ...settings.resource, "service.instance.id": randomUUID() };
    this.#sentAt = now.getTime();
    this.#metricsAt = now.getTime();
    if (settings.foreign_protocol)
      this.#problems.set("traces", `OTEL_EXPORTER_OTLP_PROTOCOL=${settings.foreign_protocol}`);
  }

  see(event: RunEvent, now: Date): void {
    const at = now.getTime();
    this.#trace.see(event, at);
    this.#metrics.see(event, at);
    if (at - this.#sentAt >= SEND_MILLISECONDS) this.#flush(at, at - this.#metricsAt >= METRICS_MILLISECONDS);
  }

  async close(now: Date): Promise<string | undefined> {
    this.#flush(now.getTime(), true);
    await this.#sending;
    return this.#problems.size > 0 ? [...this.#problems.values()].join(", ") : undefined;
  }

  /** One request of a kind at a time. Spans that cannot be sent wait, up to a number; the latest are kept. */
  #flush(at: number, withMetrics: boolean): void {
    this.#sentAt = at;
    this.#waiting = [...this.#waiting, ...this.#trace.take()].slice(-MOST_SPANS);
    if (this.#settings.foreign_protocol !== undefined) return;
    const { endpoints, is_delta } = this.#settings;
    const metrics = withMetrics && endpoints.metrics ? this.#metrics.take(at) : undefined;
    if (withMetrics) this.#metricsAt = at;
    this.#sending = this.#sending.then(async () => {
      const spans = this.#waiting;
      if (endpoints.traces && spans.length > 0) {
        this.#waiting = [];
        await this.#try("traces", tracesBody(this.#resource, spans), () => {
          this.#waiting = [...spans, ...this.#waiting].slice(-MOST_SPANS);
        });
      }
      if (metrics) await this.#try("metrics", metricsBody(this.#resource, metrics, is_delta), () => {});
    });
  }

  /** A later success makes up for an earlier failure: what was not sent was sent again. */
  async #try(kind: Signal, body: object, failed: () => void): Promise<void> {
    try {
      await this.#send(kind, body);
      this.#problems.delete(kind);
    } catch (error) {
      failed();
      this.#problems.set(kind, `${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

interface Post {
  kind: Signal;
  body: object;
  settings: TelemetrySettings;
  environment: Environment;
  signal: AbortSignal;
}

async function post({ kind, body, settings, environment, signal }: Post): Promise<void> {
  const { endpoints, headers, timeout_milliseconds, is_compressed } = settings;
  const text = JSON.stringify(body);
  const response = await fetchThrough(environment, endpoints[kind] ?? "", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(is_compressed && { "content-encoding": "gzip" }),
      ...headers[kind],
    },
    body: is_compressed ? gzipSync(text) : text,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_milliseconds)]),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}
