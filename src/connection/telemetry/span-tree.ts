import { randomBytes } from "node:crypto";
import type { Attributes, FinishedSpan, SpanEvent } from "./otlp.ts";

/** A span that has not ended. */
export interface OpenSpan {
  readonly id: string;
  readonly name: string;
  readonly start: number;
  readonly parent: OpenSpan | undefined;
  attributes: Attributes;
  events: SpanEvent[];
}

/** Where a trace goes on that another program has begun: the variable TRACEPARENT. */
const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

const MOST_EVENTS = 100;

/** The spans of one trace. Those that have ended wait to be taken. */
export class SpanTree {
  readonly #trace: string;
  readonly #outer: string | undefined;
  readonly #open = new Set<OpenSpan>();
  #finished: FinishedSpan[] = [];

  constructor(parent: string | undefined) {
    const [, trace, outer] = PARENT.exec(parent ?? "") ?? [];
    this.#trace = trace ?? randomBytes(16).toString("hex");
    this.#outer = outer;
  }

  begin(name: string, at: number, parent: OpenSpan | undefined, attributes: Attributes): OpenSpan {
    const span = { id: randomBytes(8).toString("hex"), name, start: at, parent, attributes, events: [] };
    this.#open.add(span);
    return span;
  }

  /** A span ends with all that are open below it. One that has ended stays as it is. */
  end(
    span: OpenSpan | undefined,
    at: number,
    { problem, ...attributes }: Attributes & { problem?: string } = {},
  ): void {
    if (!span || !this.#open.delete(span)) return;
    for (const inner of [...this.#open]) if (inner.parent === span) this.end(inner, at);
    this.#finished.push({
      trace_id: this.#trace,
      span_id: span.id,
      parent_id: span.parent?.id ?? this.#outer,
      name: span.name,
      start: span.start,
      end: at,
      attributes: { ...span.attributes, ...attributes },
      events: span.events,
      problem,
    });
  }

  isOpen(span: OpenSpan | undefined): boolean {
    return span !== undefined && this.#open.has(span);
  }

  note(span: OpenSpan | undefined, event: SpanEvent): void {
    if (span && span.events.length < MOST_EVENTS) span.events.push(event);
  }

  /** Those that have ended since the last call. */
  take(): FinishedSpan[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }
}
