import { z } from "zod";
import type { readPast } from "../compose/looking-back.ts";
import { criterionText, isHidden } from "../model/criterion.ts";
import type { Evaluation } from "../model/evaluation.ts";
import type { LoopResult } from "../model/records.ts";
import { judgmentsIn } from "../model/refuted.ts";
import { evaluationText, judgmentReason, resultError, summaryText } from "../texts/readable.ts";
import type { Door } from "./door.ts";

type Past = Awaited<ReturnType<typeof readPast>>;

const CriterionFacts = z.object({
  id: z.int(),
  criterion: z.string(),
  is_met: z.boolean().nullable().describe("null: not judged yet"),
  evidence: z.string(),
});

/** A task for a model to read: short, and with what to do next. */
export const TaskFacts = z.object({
  task_id: z.string(),
  project: z.string(),
  task: z.string(),
  status: z.string().describe("running, paused, interrupted, or how the last run ended"),
  stop_reason: z.string().nullable(),
  is_over: z.boolean().describe("nothing happens any more unless somebody acts"),
  iterations: z.int(),
  max_iterations: z.int(),
  criteria: z.array(CriterionFacts),
  is_proved: z.boolean().nullable().describe("null: nothing was proved yet"),
  last: z.object({ iteration: z.int(), approach: z.string(), reason: z.string() }).nullable(),
  reason: z.string(),
  questions: z.array(z.object({ question: z.string(), context: z.string(), suggested_answers: z.array(z.string()) })),
  changed_files: z.array(z.string()),
  tokens: z.number(),
  cost_usd: z.number(),
  seconds: z.number(),
  unknown: z.array(z.string()).describe("amounts that an agent did not report in full"),
  error: z.object({ message: z.string(), hint: z.string() }).nullable(),
  next_step: z.string(),
});
export type TaskFacts = z.infer<typeof TaskFacts>;

const LONGEST_EVIDENCE = 400;
const LONGEST_TEXT = 1_000;
const MOST_FILES = 50;

export function taskFacts(past: Past, { texts }: Pick<Door, "texts">): TaskFacts {
  const { language } = texts;
  const { task, status, result, records, spent } = past;
  const { configuration, intake } = task;
  const judgment = judgmentsIn(records).at(-1);
  const summary = records.findLast((record) => record.type === "summary");
  const said = summary && summaryText(summary, language);
  const asks = status === "clarification_needed" && intake?.status === "needs_clarification";
  return {
    task_id: task.task_id,
    project: task.project,
    task: cut(configuration.task, LONGEST_TEXT),
    status,
    stop_reason: result?.stop_reason ?? null,
    is_over: !UNDERWAY.includes(status),
    iterations: past.iterations,
    max_iterations: configuration.max_iterations,
    criteria: criteriaFacts(past, judgment?.evaluations ?? []),
    is_proved: provedIn(past),
    last: said ? { iteration: summary.iteration, ...cutAll(said) } : null,
    reason: judgment ? cut(judgmentReason(judgment, language), LONGEST_TEXT) : "",
    questions: asks ? intake.clarification_questions.map(questionFacts) : [],
    changed_files: (result?.changed_files ?? []).slice(0, MOST_FILES).map(({ path }) => path),
    tokens: spent.tokens,
    cost_usd: spent.cost_usd,
    seconds: spent.seconds,
    unknown: spent.unknown ?? [],
    error: errorFacts(result, language),
    next_step: nextStep(status, texts.doors.next),
  };

  function criteriaFacts({ task: { configuration: settings } }: Past, evaluations: readonly Evaluation[]) {
    if (settings.criteria.length === 0)
      return evaluations.map((one) => ({ ...evaluated(one), criterion: one.criterion }));
    return settings.criteria.map((criterion, index) => {
      const found = evaluations.find(({ id }) => id === index + 1);
      const known = found ? evaluated(found) : { id: index + 1, is_met: null, evidence: "" };
      return { ...known, criterion: criterionText(criterion), ...(isHidden(criterion) && { evidence: "" }) };
    });
  }

  function evaluated(one: Evaluation) {
    return { id: one.id, is_met: one.is_met, evidence: cut(evaluationText(one, language), LONGEST_EVIDENCE) };
  }
}

function provedIn({ result, records }: Past): boolean | null {
  if (result?.status === "completed") return result.proof?.holds === true;
  return records.findLast((record) => record.type === "proof")?.holds ?? null;
}

const UNDERWAY: readonly Past["status"][] = ["queued", "running", "paused"];

function nextStep(status: Past["status"], next: Door["texts"]["doors"]["next"]): string {
  if (status === "queued") return next.running;
  if (status === "running" || status === "paused" || status === "completed") return next[status];
  return status === "clarification_needed" ? next.answer : next.resume;
}

function questionFacts({ question, context, suggested_answers }: TaskFacts["questions"][number]) {
  return { question, context, suggested_answers };
}

function errorFacts(result: LoopResult | undefined, language: Door["texts"]["language"]): TaskFacts["error"] {
  return (result && resultError(result, language)) ?? null;
}

function cutAll({ approach, reason }: { approach: string; reason: string }) {
  return { approach: cut(approach, LONGEST_TEXT), reason: cut(reason, LONGEST_TEXT) };
}

export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
