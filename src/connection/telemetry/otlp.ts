/** The parts of OTLP's JSON form that we use. Times are nanoseconds as texts: a number could not hold them. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanEvent {
  name: string;
  at: number;
  attributes: Attributes;
}

export interface FinishedSpan {
  trace_id: string;
  span_id: string;
  parent_id: string | undefined;
  name: string;
  start: number;
  end: number;
  attributes: Attributes;
  events: readonly SpanEvent[];
  /** What went wrong; absent: nothing did. */
  problem: string | undefined;
}

export interface Point {
  attributes: Attributes;
  value: number;
}

/** `durations`: of each thing that was measured, in seconds. */
export type Metric = { name: string; unit: string; start: number; at: number } & (
  | { kind: "sum"; points: readonly Point[] }
  | { kind: "histogram"; series: readonly { attributes: Attributes; durations: readonly number[] }[] }
);

const SCOPE = { name: "endless8" };

export function tracesBody(resource: Attributes, spans: readonly FinishedSpan[]): object {
  const scopeSpans = [{ scope: SCOPE, spans: spans.map(spanJson) }];
  return { resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans }] };
}

export function metricsBody(resource: Attributes, metrics: readonly Metric[], isDelta: boolean): object {
  const temporality = isDelta ? 1 : 2;
  const scopeMetrics = [{ scope: SCOPE, metrics: metrics.map((metric) => metricJson(metric, temporality)) }];
  return { resourceMetrics: [{ resource: { attributes: attributesJson(resource) }, scopeMetrics }] };
}

const KIND_INTERNAL = 1;
const STATUS_ERROR = 2;

function spanJson({ trace_id, span_id, parent_id, name, start, end, attributes, events, problem }: FinishedSpan) {
  return {
    traceId: trace_id,
    spanId: span_id,
    ...(parent_id !== undefined && { parentSpanId: parent_id }),
    name,
    kind: KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributesJson(attributes),
    events: events.map((one) => ({
      name: one.name,
      timeUnixNano: nanoseconds(one.at),
      attributes: attributesJson(one.attributes),
    })),
    status: problem === undefined ? {} : { code: STATUS_ERROR, message: problem },
  };
}

function metricJson(metric: Metric, aggregationTemporality: number) {
  const { name, unit } = metric;
  const times = { startTimeUnixNano: nanoseconds(metric.start), timeUnixNano: nanoseconds(metric.at) };
  if (metric.kind === "sum") {
    const dataPoints = metric.points.map(({ attributes, value }) => ({
      ...times,
      attributes: attributesJson(attributes),
      asDouble: value,
    }));
    return { name, unit, sum: { dataPoints, aggregationTemporality, isMonotonic: true } };
  }
  const dataPoints = metric.series.map(({ attributes, durations }) => ({
    ...times,
    attributes: attributesJson(attributes),
    count: String(durations.length),
    sum: durations.reduce((total, one) => total + one, 0),
    explicitBounds: BOUNDS,
    bucketCounts: bucketsOf(durations).map(String),
  }));
  return { name, unit, histogram: { dataPoints, aggregationTemporality } };
}

/** Seconds: from an answer to a night. */
const BOUNDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 43_200];

function bucketsOf(durations: readonly number[]): number[] {
  const counts = [...BOUNDS, Number.POSITIVE_INFINITY].map(() => 0);
  for (const one of durations) {
    const at = BOUNDS.findIndex((bound) => one <= bound);
    const bucket = at < 0 ? BOUNDS.length : at;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

function attributesJson(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueJson(value) }],
  );
}

function valueJson(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanoseconds(milliseconds: number): string {
  return `${BigInt(Math.round(milliseconds)) * 1_000_000n}`;
}
