import type { Evaluation } from "../model/evaluation.ts";
import type { RunEvent } from "../model/events.ts";
import type { Language } from "../model/language.ts";
import type { ProofRecord } from "../model/proof-record.ts";
import type { ExecutionSummary, HistoryRecord, Judgment, LoopResult } from "../model/records.ts";
import type { ErrorText } from "./message-texts.ts";
import { storedErrorText } from "./sentences.ts";
import { teller } from "./tell.ts";

/**
 * Records as people read them. A record holds facts and quotations; here they become texts in the reader's language. Quotations are
 * never edited: marks stand before or behind them. Records of the version before hold whole sentences and are shown as they were written.
 */
const MARKS: Readonly<Record<Language, { cut: string; outputEndsWith: string; colon: string; noApproach: string }>> = {
  en: { cut: "[… cut …]", outputEndsWith: "; output ends with:", colon: ":", noApproach: "(no approach was reported)" },
  ja: {
    cut: "［… 省略 …］",
    outputEndsWith: "。出力の末尾：",
    colon: "：",
    noApproach: "（アプローチの報告はありません）",
  },
};

/** What was found out, and the quotation it rests on. Either may be empty. */
export interface EvidenceText {
  said: string;
  quoted: string;
}

export function evidenceText({ outcome, source, evidence }: Evaluation, language: Language): EvidenceText {
  if (!outcome) return { said: "", quoted: evidence };
  const said = teller(language)(outcome);
  const introductions = {
    command: MARKS[language].outputEndsWith,
    files: MARKS[language].colon,
    judge: "",
    nobody: "",
  };
  return { said: evidence === "" ? said : `${said}${introductions[source]}`, quoted: evidence };
}

/** The evidence as one text: the outcome, then the quotation. */
export function evaluationText(evaluation: Evaluation, language: Language): string {
  const { said, quoted } = evidenceText(evaluation, language);
  const isOfJudge = evaluation.source === "judge" || evaluation.source === "nobody";
  const marked = evaluation.is_cut
    ? withMark(quoted, evaluation.source === "files" ? "end" : "start", language)
    : quoted;
  return [said, marked].filter(Boolean).join(isOfJudge ? " " : "\n");
}

function withMark(text: string, missing: "start" | "end", language: Language): string {
  const { cut } = MARKS[language];
  return missing === "start" ? `${cut}\n${text}` : `${text}\n${cut}`;
}

/** Our own reasons, then the judge's. */
export function judgmentReason({ reasons = [], overall_reason }: Judgment, language: Language): string {
  return [...reasons.map(teller(language)), overall_reason].filter(Boolean).join(" ");
}

export interface SummaryText {
  approach: string;
  reason: string;
}

/** What was tried, and what came of it: why the worker failed, then its own words. */
export function summaryText(summary: ExecutionSummary, language: Language): SummaryText {
  const failure = summary.failure ? teller(language)(summary.failure) : "";
  const approach = summary.approach || failure.split("\n", 1)[0] || MARKS[language].noApproach;
  return { approach, reason: [failure, summary.reason].filter(Boolean).join("\n\n") };
}

/** Of a flow's step the beginning of a long reason is kept; of a task's iteration the end, where its result stands. */
export function missingPart({ is_cut, flow }: ExecutionSummary): "start" | "end" | undefined {
  if (!is_cut) return undefined;
  return flow ? "end" : "start";
}

/** What ended a run in an error, and what to do about it. */
export function resultError(result: LoopResult, language: Language): ErrorText | undefined {
  const { error_code: code, error_details: details, error_message, hint } = result;
  if (!code) return undefined;
  const written = { message: error_message ?? `${code} ${JSON.stringify(details)}`, hint: hint ?? "" };
  return storedErrorText(code, details, language) ?? written;
}

export function readableEvaluation(evaluation: Evaluation, language: Language): Evaluation {
  return { ...evaluation, evidence: evaluationText(evaluation, language) };
}

export function readableJudgment<J extends Judgment>(judgment: J, language: Language): J {
  return {
    ...judgment,
    evaluations: judgment.evaluations.map((evaluation) => readableEvaluation(evaluation, language)),
    overall_reason: judgmentReason(judgment, language),
  };
}

export function readableSummary(summary: ExecutionSummary, language: Language): ExecutionSummary {
  const { approach, reason } = summaryText(summary, language);
  const missing = missingPart(summary);
  return { ...summary, approach, reason: missing ? withMark(reason, missing, language) : reason };
}

/** `error_message` and `hint` are there, whether there is an error or not. */
export function readableResult(result: LoopResult, language: Language): LoopResult {
  const error = resultError(result, language);
  return {
    ...result,
    final_judgment: result.final_judgment && readableJudgment(result.final_judgment, language),
    error_message: error?.message ?? null,
    hint: error?.hint ?? null,
  };
}

function readableProof(proof: ProofRecord, language: Language): ProofRecord {
  return { ...proof, evaluations: proof.evaluations.map((one) => readableEvaluation(one, language)) };
}

export function readableRecord(record: HistoryRecord, language: Language): HistoryRecord {
  switch (record.type) {
    case "summary":
      return readableSummary(record, language);
    case "judgment":
      return readableJudgment(record, language);
    case "final_result":
      return readableResult(record, language);
    case "proof":
      return readableProof(record, language);
    case "landing":
    case "effect":
    case "note":
    case "worker":
      return record;
  }
}

export function readableEvent(event: RunEvent, language: Language): RunEvent {
  switch (event.type) {
    case "run-start":
      return { ...event, evaluations: event.evaluations.map((one) => readableEvaluation(one, language)) };
    case "check-end":
      return { ...event, evaluation: readableEvaluation(event.evaluation, language) };
    case "summary":
      return { ...event, summary: readableSummary(event.summary, language) };
    case "judgment":
      return { ...event, judgment: readableJudgment(event.judgment, language) };
    case "proof":
      return { ...event, proof: readableProof(event.proof, language) };
    case "run-end":
      return { ...event, result: readableResult(event.result, language) };
    default:
      return event;
  }
}
