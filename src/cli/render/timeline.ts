import type { ChangeTotals } from "../../model/changes.ts";
import { listed } from "../../model/message.ts";
import type { ProofRecord } from "../../model/proof-record.ts";
import type {
  EffectRecord,
  ExecutionSummary,
  HistoryRecord,
  JudgmentRecord,
  LoopResult,
  NoteRecord,
} from "../../model/records.ts";
import { addUsage, NOTHING_SPENT, type Spending, type Usage } from "../../model/usage.ts";
import type { WorkerRecord } from "../../model/workers.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { missingPart, summaryText } from "../../texts/readable.ts";
import { teller } from "../../texts/tell.ts";
import type { CliContext } from "../output.ts";
import { costWords, duration, localTime, tokenWords } from "./amounts.ts";
import { evaluationLines } from "./evaluations.ts";
import { landingLines } from "./landing.ts";
import { oneLine } from "./lines.ts";
import { proofOutcomeLines } from "./proof.ts";
import { escalationText, workerChangeLine } from "./workers.ts";

interface Past {
  records: readonly HistoryRecord[];
  spending: readonly Spending[];
  /** How much each iteration has changed, where that is known. */
  totals: Readonly<Record<number, ChangeTotals>>;
  /** Shown below the timeline, with the last judgment. */
  result: LoopResult | undefined;
}

/** Every iteration with when, how long and for how much, what was done and what was missing; and how earlier runs ended. */
export function timelineLines({ records, spending, result, totals }: Past, context: CliContext): string[] {
  const told = result && records.findLast((record) => record.type === "judgment");
  const toldProof = result && records.findLast((record) => record.type === "proof");
  return records.flatMap((record, index) => {
    if (record.type === "summary") {
      const facts = { spent: spentIn(record.iteration, spending), changed: totals[record.iteration] };
      return workLines(record, facts, context);
    }
    if (record.type === "judgment") return judgmentLines(record, { ...context, isTold: record === told });
    if (record.type === "proof") return provedLines(record, { ...context, isTold: record === toldProof });
    if (record.type === "landing") return landingLines(record, context.texts).map((line) => `  ${line}`);
    if (record.type !== "final_result") return sideLines(record, context);
    return index === records.length - 1 ? [] : [endLine(record, context)];
  });
}

/** What happened beside the work. */
function sideLines(record: EffectRecord | WorkerRecord | NoteRecord, context: CliContext): string[] {
  if (record.type === "effect") return effectLines(record, context);
  return [record.type === "note" ? noteLine(record, context) : `⇄ ${workerChangeLine(record, context.texts)}`];
}

function spentIn(iteration: number, spending: readonly Spending[]): Usage {
  return spending.filter((one) => one.iteration === iteration).reduce<Usage>(addUsage, NOTHING_SPENT);
}

interface WorkFacts {
  spent: Usage;
  changed: ChangeTotals | undefined;
}

function workLines(summary: ExecutionSummary, { spent, changed }: WorkFacts, { texts, output }: CliContext): string[] {
  const { iteration, timestamp, flow, metadata, worker } = summary;
  const said = summaryText(summary, texts.language);
  const approach = oneLine(said.approach, 160);
  const reason = reasonLines(said.reason, missingPart(summary), texts);
  const facts = [
    localTime(timestamp),
    duration(spent.seconds, texts.units),
    `${texts.report.tokens} ${tokenWords(spent, texts)}`,
  ];
  return [
    `${output.paint("bold", `${texts.show.iteration} ${iteration}`)}  ${[...facts, ...costWords(spent, texts)].join("  ")}`,
    ...(flow ? [`  ▸ ${flow.step_id}${flow.agent === undefined ? "" : ` (${oneLine(flow.agent, 80)})`}`] : []),
    ...(worker === undefined ? [] : [`  ${texts.workers.by(worker)}`]),
    `  ${texts.worked(summary.result, approach)}`,
    ...(reason[0] === approach ? [] : reason.map((line) => `    ${line}`)), // a summary made without a model says the same twice
    ...(changed ? [`    ${texts.snapshots.totals(changed.files, changed.added, changed.removed)}`] : []),
    ...(metadata.files_modified.length > 0 ? [`    ± ${oneLine(metadata.files_modified.join(", "), 160)}`] : []),
  ];
}

const REASON_LENGTH = 600;

/** Where a record has only the end of what the worker said, its own end is what it came to. */
function reasonLines(reason: string, missing: "start" | "end" | undefined, texts: Texts): string[] {
  if (missing !== "start") return [oneLine(reason, REASON_LENGTH)].filter(Boolean);
  const characters = [...oneLine(reason)];
  const end = characters.slice(-REASON_LENGTH).join("");
  return [texts.linesLeftOut(undefined), characters.length > REASON_LENGTH ? `…${end}` : end];
}

function judgmentLines(
  { evaluations, flow }: JudgmentRecord,
  { texts, output, isTold }: CliContext & { isTold: boolean },
): string[] {
  const step = flow?.next_step ? texts.show.next(flow.next_step) : texts.show.flowEnded;
  return [
    ...(isTold ? [] : evaluationLines(evaluations, { texts, paint: output.paint, evidence: "unmet" })),
    ...(flow ? [`  ${flow.intent ?? "·"} → ${step}`] : []),
  ];
}

function provedLines(proof: ProofRecord, { texts, output, isTold }: CliContext & { isTold: boolean }): string[] {
  return proofOutcomeLines(isTold ? { ...proof, evaluations: [] } : proof, { texts, paint: output.paint });
}

function effectLines({ stage, what, problem }: EffectRecord, { texts }: CliContext): string[] {
  const tell = teller(texts.language);
  if (stage === "begun") return [];
  return [`  ${oneLine(tell(listed([what, ...(problem ? [problem] : [])], ": ")))}`];
}

function noteLine({ text, timestamp }: NoteRecord, { texts }: CliContext): string {
  return `✎ ${localTime(timestamp)}  ${texts.note(oneLine(text, NOTE_LENGTH))}`;
}

const NOTE_LENGTH = 600;

function endLine(result: LoopResult, { texts }: CliContext): string {
  const why = `${texts.stop[result.stop_reason]}${escalationText(result, texts)}`;
  return `— ${localTime(result.timestamp)}  ${texts.labeled(texts.status[result.status], why)}`;
}
