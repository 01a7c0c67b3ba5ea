import { z } from "zod";
import { withStepId } from "../../judgment/flow/output.ts";
import { MOST_LISTED } from "../../model/limits.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { KnowledgeDraft } from "../../model/roles.ts";
import { wordsIn } from "../../model/statement.ts";
import { wordingsIn } from "../../model/telling.ts";
import { keepHead } from "../bounds.ts";
import type { Condensed, Work } from "../course.ts";
import type { RunContext } from "../run-context.ts";
import { metadataOf } from "../summarize.ts";
import { type FlowRun, stepOf } from "./flow-run.ts";
import { asText } from "./step-prompt.ts";

const REASON_TOKENS = 1_000;

/** The record of one step. Made without a model: what a step returns is structured already. */
export async function summarizeStep(context: RunContext, run: FlowRun, work: Work): Promise<Condensed> {
  const summary = outlineStep(context, run, work);
  const { output = null, text = "" } = summary.flow ?? {};
  const saved = await context.ports.store.saveOutput(output === null ? text : JSON.stringify(output, null, 2));
  const artifacts = [saved.name, ...summary.artifacts].slice(0, MOST_LISTED); // the record holds it, too: no need to wait for the disk
  return { summary: { ...summary, artifacts }, knowledge: knowledgeIn(output) };
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
  const reason = failure ? wordsIn("en", failure.message) : ownSummary(output, reply.text);
  return {
    type: "summary",
    iteration,
    approach: `${step.stepId}: ${step.name}`,
    result: failure ? "error" : "success",
    reason: keepHead(reason, REASON_TOKENS),
    artifacts: reply.files_modified.slice(0, MOST_LISTED),
    metadata: metadataOf(reply, { error_type: failure?.code ?? null, strategy_tags: [] }),
    next: null,
    flow: { step_id: step.stepId, output, text: reply.text, deviations: deviations.map(({ en }) => en) },
    ...wordingsIn(failure ? [failure.message] : deviations),
    timestamp: context.ports.clock.now().toISOString(),
  };
}

/** What the worker itself calls a summary. Other fields do not reach the next prompt unless they are handed on. */
function ownSummary(output: unknown, text: string): string {
  if (output === null || typeof output !== "object") return text;
  const { summary, message } = output as Record<string, unknown>;
  return [summary, message].filter((value) => value !== undefined).map(asText)[0] ?? "";
}

const WithKnowledge = z.object({ knowledge: z.array(KnowledgeDraft) });

/** A step that learned something may say so under `knowledge`, where its schema has room for it. */
function knowledgeIn(output: unknown): KnowledgeDraft[] {
  return WithKnowledge.safeParse(output).data?.knowledge ?? [];
}

const OUTPUT_TOKENS = 20_000;

/** The record as a judge needs it: all that the step returned, not only what it calls a summary. */
export function forJudge(summary: ExecutionSummary): ExecutionSummary {
  const output = summary.flow?.output;
  const returned = output === null || output === undefined ? summary.flow?.text : JSON.stringify(output);
  return returned ? { ...summary, reason: keepHead(returned, OUTPUT_TOKENS) } : summary;
}
