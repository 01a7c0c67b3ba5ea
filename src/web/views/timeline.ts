import type { ChangeTotals } from "../../model/changes.ts";
import type { IterationRow, PhaseSpan } from "../../model/dashboard.ts";
import type { EventEnvelope } from "../../model/events.ts";
import type { ExecutionSummary, HistoryRecord } from "../../model/records.ts";
import { judgmentsIn } from "../../model/refuted.ts";
import { addUsage, NOTHING_SPENT, type Spending, type Usage } from "../../model/usage.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { readableSummary } from "../../texts/readable.ts";

/** The events that tell when an iteration did what. */
export const SPAN_TYPES = [
  "run-start",
  "iteration-start",
  "phase-start",
  "waiting",
  "pause",
  "step-start",
  "run-end",
] as const satisfies EventEnvelope["event"]["type"][];

export interface Work {
  records: readonly HistoryRecord[];
  spending: readonly Spending[];
  totals: Readonly<Record<number, ChangeTotals>>;
  /** Those of `SPAN_TYPES`, oldest first. */
  events: readonly EventEnvelope[];
}

/** Every iteration, oldest first, with that of the present run even before it has a result. */
export function timeline({ records, spending, totals, events }: Work, { language }: Texts): IterationRow[] {
  const spans = spansByIteration(events);
  const summaries = new Map<number, ExecutionSummary>();
  for (const record of records) if (record.type === "summary") summaries.set(record.iteration, record);
  const judgments = new Map(judgmentsIn(records).map((judgment) => [judgment.iteration, judgment]));
  const proofs = new Map<number, boolean>();
  for (const record of records) if (record.type === "proof") proofs.set(record.iteration, record.holds);
  const spent = spentByIteration(spending);
  const numbers = [...new Set([...spans.keys(), ...summaries.keys()])].filter((number) => number > 0);
  return numbers
    .sort((left, right) => left - right)
    .map((iteration) => {
      const summary = summaries.get(iteration);
      const judgment = judgments.get(iteration);
      const holds = proofs.get(iteration);
      const changes = totals[iteration];
      return {
        iteration,
        ...timesOf(spans.get(iteration) ?? []),
        ...workParts(summary && readableSummary(summary, language)),
        usage: spent.get(iteration) ?? NOTHING_SPENT,
        ...(changes && { changes }),
        criteria_met: judgment?.evaluations.filter(({ is_met }) => is_met).length ?? 0,
        is_complete: judgment?.is_complete ?? false,
        ...(holds !== undefined && { proof_holds: holds }),
      };
    });
}

function workParts(summary: ExecutionSummary | undefined) {
  if (!summary) return { approach: "", reason: "", result: "", tools_used: [] };
  const { approach, reason, result, worker, flow, metadata } = summary;
  return {
    ...{ approach, reason, result, tools_used: metadata.tools_used },
    ...(worker !== undefined && { worker }),
    ...(flow && { step: flow.step_id }),
  };
}

function timesOf(phases: PhaseSpan[]): Pick<IterationRow, "start" | "end" | "phases"> {
  const [start, end] = [phases[0]?.start, phases.at(-1)?.end];
  return { phases, ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

/** What happened when, by iteration; what comes before the first one is of iteration 0. A span without an end goes on. */
export function spansByIteration(events: readonly EventEnvelope[]): Map<number, PhaseSpan[]> {
  const spans = new Map<number, PhaseSpan[]>();
  let iteration = 0;
  let open: PhaseSpan | undefined;
  let last = 0;
  const close = (end: number) => {
    if (open) open.end = end;
    open = undefined;
  };
  const begin = (phase: string, start: number) => {
    close(start);
    open = { phase, start };
    spans.set(iteration, [...(spans.get(iteration) ?? []), open]);
  };
  for (const { event, at } of events) {
    const time = Date.parse(at);
    if (event.type === "run-start") close(last); // a run that was killed before has told no end
    if (event.type === "run-end") close(time);
    if (event.type === "waiting") begin("waiting", time);
    if (event.type === "iteration-start") close(time);
    if ("iteration" in event) iteration = event.iteration;
    if (event.type === "phase-start") begin(event.phase, time);
    last = time;
  }
  return spans;
}

function spentByIteration(spending: readonly Spending[]): Map<number, Usage> {
  const spent = new Map<number, Usage>();
  for (const one of spending) spent.set(one.iteration, addUsage(spent.get(one.iteration) ?? NOTHING_SPENT, one));
  return spent;
}
