import { z } from "zod";
import { withStepId } from "../../judgment/flow/gate.ts";
import { textOf } from "../../model/json.ts";
import { MOST_LISTED } from "../../model/limits.ts";
import { asMessage } from "../../model/message.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { KnowledgeDraft } from "../../model/roles.ts";
import type { Condensed, Work } from "../course.ts";
import { metadataOf } from "../goal/summarize.ts";
import { keepOutput } from "../output.ts";
import { headOf, keepHead, tailOf } from "../prompt/bounds.ts";
import type { RunContext } from "../run-context.ts";
import { type FlowRun, stepOf, takenBy } from "./flow-run.ts";

const REASON_TOKENS = 1_000;

/** The record of one step, and its output for people. No model is needed: a step's output is structured already. */
export async function summarizeStep(context: RunContext, run: FlowRun, work: Work): Promise<Condensed> {
  const summary = outlineStep(context, run, work);
  const { output = null, text = "" } = summary.flow ?? {};
  const said = output === null ? text : JSON.stringify(output, null, 2);
  const { iteration, reply } = work;
  // The record holds it, too: no need to wait for the disk.
  const kept = await keepOutput(context, { iteration, text: said, is_handed_in: !reply.failure });
  const artifacts = [...kept.artifacts, ...summary.artifacts].slice(0, MOST_LISTED);
  return { summary: { ...summary, ...kept.files, artifacts }, knowledge: knowledgeIn(output) };
}

export function outlineStep(
  context: RunContext,
  run: FlowRun,
  { iteration, assignment, reply }: Work,
): ExecutionSummary {
  const step = stepOf(run, assignment.step_id ?? null, iteration);
  const { failure } = reply;
  const corrected = withStepId(reply.structured, step.stepId);
  const output = failure ? null : (corrected.output ?? null);
  const deviations = corrected.deviation && !failure ? [corrected.deviation] : [];
  const { text: reason, is_cut } = failure
    ? tailOf(reply.text.trim(), REASON_TOKENS)
    : headOf(ownSummary(output, reply.text), REASON_TOKENS);
  return {
    type: "summary",
    iteration,
    approach: `${step.stepId}: ${step.name}`,
    result: failure ? "error" : "success",
    reason,
    artifacts: reply.files_modified.slice(0, MOST_LISTED),
    metadata: metadataOf(reply, { error_type: failure?.code ?? null, strategy_tags: [] }),
    next: null,
    ...(failure && { failure: asMessage(failure.message) }),
    ...(is_cut && { is_cut }),
    flow: { step_id: step.stepId, ...takenBy(step, context.configuration), output, text: reply.text, deviations },
    timestamp: context.ports.clock.now().toISOString(),
  };
}

/** What the worker itself calls a summary. Other fields reach the next prompt only when they are handed on. */
function ownSummary(output: unknown, text: string): string {
  if (output === null || typeof output !== "object") return text;
  const { summary, message } = output as Record<string, unknown>;
  return [summary, message].filter((value) => value !== undefined).map(textOf)[0] ?? "";
}

const WithKnowledge = z.object({ knowledge: z.array(KnowledgeDraft) });

/** A step may return knowledge under `knowledge`, where its schema allows that. */
function knowledgeIn(output: unknown): KnowledgeDraft[] {
  return WithKnowledge.safeParse(output).data?.knowledge ?? [];
}

const OUTPUT_TOKENS = 20_000;

/** The record for a judge: with the step's whole output instead of its own summary. */
export function forJudge(summary: ExecutionSummary): ExecutionSummary {
  const output = summary.flow?.output;
  const returned = output === null || output === undefined ? summary.flow?.text : JSON.stringify(output);
  return returned ? { ...summary, reason: keepHead(returned, OUTPUT_TOKENS) } : summary;
}
