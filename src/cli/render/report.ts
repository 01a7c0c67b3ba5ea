import { MOST_ITERATIONS } from "../../model/limits.ts";
import type { LoopResult } from "../../model/records.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { judgmentReason, resultError } from "../../texts/readable.ts";
import type { Paint } from "../output.ts";
import { costWords, duration, localClock, tokenWords } from "./amounts.ts";
import { type ChangeStyle, changeLines, pathFrom } from "./changes.ts";
import { evaluationLines } from "./evaluations.ts";
import { landingLines } from "./landing.ts";
import { indented, oneLine, printable } from "./lines.ts";
import { proofLines } from "./proof.ts";
import { escalationText, workersLine } from "./workers.ts";

export interface ReportStyle extends ChangeStyle {
  paint: Paint;
}

/** FR-028: what changed, every criterion with its evidence, the reason, what it took; and last, where it is still on the screen, the verdict. */
export function reportLines(result: LoopResult, style: ReportStyle): string[] {
  const { texts, paint } = style;
  const { report, labeled } = texts;
  const { final_judgment: judgment, usage } = result;
  const { holds, iteration } = result.proof ?? {};
  const isRefuted = holds === false && iteration === result.iterations_used; // the proof says why
  return [
    ...changeLines(result, style),
    ...(judgment?.evaluations.length === 0 ? [] : [labeled(report.criteria)]),
    ...(judgment
      ? evaluationLines(judgment.evaluations, { texts, paint, evidence: "all" })
      : [`  ${report.noneJudged}`]),
    ...proofLines(result, texts),
    ...(result.landing ? landingLines(result.landing, texts) : []),
    ...(result.kept_in ? [texts.landing.keptIn(pathFrom(style, result.kept_in.worktree), result.kept_in.branch)] : []),
    ...(judgment && !isRefuted ? [labeled(report.reason, oneLine(judgmentReason(judgment, texts.language), 600))] : []),
    ...workersLine(result, texts),
    [
      labeled(report.iterations, String(result.iterations_used)),
      labeled(report.tokens, tokenWords(usage, texts)),
      ...costWords(usage, texts).map((cost) => labeled(report.cost, cost)),
      labeled(report.time, duration(usage.seconds, texts.units)),
    ].join("   "),
    ...(result.history_path ? [labeled(report.records, pathFrom(style, result.history_path))] : []),
    ...verdictLines(result, style),
    ...nextSteps(result, texts),
  ];
}

function verdictLines(result: LoopResult, { texts, paint }: ReportStyle): string[] {
  const painted = paint(result.status === "completed" ? "green" : "yellow", texts.status[result.status]);
  return [
    texts.labeled(
      paint("bold", painted),
      isSkipped(result) ? texts.skipped : `${texts.stop[result.stop_reason]}${escalationText(result, texts)}`,
    ),
    ...indented(printable(resultError(result, texts.language)?.message ?? ""), "  ").filter(Boolean),
  ];
}

/** A flow's definition may let failed conditions pass; then the report must not say that all of them hold. */
function isSkipped({ status, final_judgment }: LoopResult): boolean {
  return status === "completed" && (final_judgment?.evaluations.some((evaluation) => !evaluation.is_met) ?? false);
}

function nextSteps(result: LoopResult, texts: Texts): string[] {
  const step = nextStep(result, texts);
  return step ? [texts.labeled(texts.nextStep, step)] : [];
}

export function nextStep(result: LoopResult, texts: Texts): string | undefined {
  const { status, task_id } = result;
  const { report, answerWith } = texts;
  switch (status) {
    case "completed":
      return undefined;
    case "clarification_needed":
      return answerWith(task_id);
    case "max_iterations":
    case "budget_exceeded":
      return moreOf(result, texts);
    case "conditions_failed":
    case "error":
      return resultError(result, texts.language)?.hint || report.goOn(task_id);
    case "stalled":
      return report.goOnOtherwise(task_id);
    case "cancelled":
      return report.goOn(task_id);
  }
}

/** Names the limit that was reached, and a value that is higher than what is used up. */
function moreOf({ task_id, stop_reason, iterations_used, usage, timestamp }: LoopResult, { report }: Texts): string {
  if (stop_reason === "max_iterations" && iterations_used >= MOST_ITERATIONS)
    return report.noMoreIterations(MOST_ITERATIONS);
  const flags: Partial<Record<LoopResult["stop_reason"], string>> = {
    max_iterations: `-n ${Math.min(MOST_ITERATIONS, iterations_used + 10)}`,
    budget_cost: `--max-cost ${Math.ceil(usage.cost_usd * 2 * 100) / 100}`,
    budget_tokens: `--max-tokens ${usage.tokens * 2}`,
    budget_time: `--max-time ${Math.ceil(usage.seconds / 30)}m`,
    deadline: `--until ${localClock(new Date(timestamp)).slice(0, 5)}`, // the same time tomorrow
  };
  return report.goOnWithMore(task_id, flags[stop_reason] ?? "");
}
