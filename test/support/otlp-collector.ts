import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  events: { name: string }[];
  status: { code?: number; message?: string };
}

interface MetricJson {
  name: string;
  unit: string;
  sum?: { dataPoints: { asDouble: number; attributes: Attribute[] }[] };
  histogram?: { dataPoints: { count: string; sum: number; attributes: Attribute[] }[] };
}

/** What a real collector does with OTLP over HTTP, as far as it can be seen from outside. */
export interface Collector {
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders }[];
  spans: Span[];
  metrics: MetricJson[];
  resource: Record<string, unknown>;
  /** All that was received, as text. */
  text(): string;
}

/** `status`: how every request is answered. */
export async function otlpCollector(status = 200): Promise<Collector> {
  const found: Omit<Collector, "url" | "text"> = { requests: [], spans: [], metrics: [], resource: {} };
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent).toString();
    bodies.push(text);
    found.requests.push({ path: request.url ?? "", headers: request.headers });
    if (status === 200) keep(found, JSON.parse(text));
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(found, { url, text: () => bodies.join("\n") });
}

type Scoped<T> = { resource: { attributes: Attribute[] } } & T;
interface Body {
  resourceSpans?: Scoped<{ scopeSpans: { spans: Span[] }[] }>[];
  resourceMetrics?: Scoped<{ scopeMetrics: { metrics: MetricJson[] }[] }>[];
}

function keep(found: Pick<Collector, "spans" | "metrics" | "resource">, body: Body): void {
  for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
    Object.assign(found.resource, valuesOf(resource));
    found.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
  }
  for (const { scopeMetrics } of body.resourceMetrics ?? [])
    found.metrics.push(...scopeMetrics.flatMap(({ metrics }) => metrics));
}

export function valuesOf({ attributes }: { attributes: Attribute[] }): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
