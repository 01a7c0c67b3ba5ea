import type { RunEvent } from "../../model/events.ts";
import { addUsage, NOTHING_SPENT, type Usage } from "../../model/usage.ts";
import type { Attributes, Metric } from "./otlp.ts";

interface Counted {
  name: string;
  unit: string;
  attributes: Attributes;
  value: number;
}

/** What a run has come to in numbers: tokens, cost, iterations, durations, and how it ended. */
export class RunMetrics {
  readonly #isDelta: boolean;
  #start: number;
  #spentBefore: Usage = NOTHING_SPENT;
  #spent: Usage = NOTHING_SPENT;
  #told: Usage = NOTHING_SPENT;
  #iterations = 0;
  #durations: { name: string; seconds: number; attributes: Attributes }[] = [];
  #ended: Attributes | undefined;
  #began = { run: 0, iteration: 0, phase: 0 };
  #phase: string | undefined;

  constructor(now: number, isDelta: boolean) {
    this.#start = now;
    this.#isDelta = isDelta;
  }

  see(event: RunEvent, at: number): void {
    if (event.type === "run-start") {
      this.#spentBefore = event.spent;
      this.#began = { ...this.#began, run: at };
    }
    if (event.type === "spent") this.#spent = minus(event.total, this.#spentBefore);
    if (event.type === "iteration-start" || event.type === "run-end") this.#endIteration(at);
    if (event.type === "iteration-start") {
      this.#iterations += 1;
      this.#began.iteration = at;
    }
    if (event.type === "phase-start" || event.type === "run-end") this.#endPhase(at);
    if (event.type === "phase-start") {
      this.#phase = event.phase;
      this.#began.phase = at;
    }
    if (event.type === "run-end") this.#end(event, at);
  }

  /** As they are now; with deltas, what has come since the last call. */
  take(at: number): Metric[] {
    const told = this.#told;
    const tokens = { name: "e8.tokens", unit: "{token}", attributes: {}, value: this.#spent.tokens - told.tokens };
    const cost = { name: "e8.cost", unit: "{USD}", attributes: {}, value: this.#spent.cost_usd - told.cost_usd };
    const iterations = { name: "e8.iterations", unit: "{iteration}", attributes: {}, value: this.#iterations };
    const runs = this.#ended ? [{ name: "e8.runs", unit: "{run}", attributes: this.#ended, value: 1 }] : [];
    const times = { start: this.#start, at };
    const sums = [tokens, cost, iterations, ...runs].map((one) => sumOf(one, times));
    const histograms = [...new Set(this.#durations.map(({ name }) => name))].map((name) => ({
      name,
      unit: "s",
      ...times,
      kind: "histogram" as const,
      series: seriesOf(this.#durations.filter((one) => one.name === name)),
    }));
    if (this.#isDelta) this.#forget(at);
    return [...sums, ...histograms];
  }

  #forget(at: number): void {
    this.#start = at;
    this.#told = this.#spent;
    this.#iterations = 0;
    this.#durations = [];
    this.#ended = undefined;
  }

  #endIteration(at: number): void {
    if (this.#began.iteration === 0) return;
    this.#measure("e8.iteration.duration", at - this.#began.iteration, {});
    this.#began.iteration = 0;
  }

  #endPhase(at: number): void {
    if (this.#phase !== undefined)
      this.#measure("e8.phase.duration", at - this.#began.phase, { "e8.phase": this.#phase });
    this.#phase = undefined;
  }

  #end({ result }: Extract<RunEvent, { type: "run-end" }>, at: number): void {
    this.#spent = minus(result.usage, this.#spentBefore);
    this.#ended = { "e8.stop_reason": result.stop_reason, "e8.status": result.status };
    if (this.#began.run > 0) this.#measure("e8.run.duration", at - this.#began.run, this.#ended);
  }

  #measure(name: string, milliseconds: number, attributes: Attributes): void {
    this.#durations.push({ name, seconds: milliseconds / 1000, attributes });
  }
}

function sumOf({ name, unit, attributes, value }: Counted, times: { start: number; at: number }): Metric {
  return { name, unit, ...times, kind: "sum", points: [{ attributes, value }] };
}

function seriesOf(measured: readonly { seconds: number; attributes: Attributes }[]) {
  const byKey = new Map<string, { attributes: Attributes; durations: number[] }>();
  for (const { seconds, attributes } of measured) {
    const key = JSON.stringify(attributes);
    const series = byKey.get(key) ?? { attributes, durations: [] };
    series.durations.push(seconds);
    byKey.set(key, series);
  }
  return [...byKey.values()];
}

function minus(total: Usage, before: Usage): Usage {
  const { tokens, cost_usd, seconds } = before;
  const less = addUsage(total, { tokens: -tokens, cost_usd: -cost_usd, seconds: -seconds });
  return { tokens: Math.max(0, less.tokens), cost_usd: Math.max(0, less.cost_usd), seconds: Math.max(0, less.seconds) };
}
