import { z } from "zod";
import { withStepId } from "../../judgment/flow/gate.ts";
import type { AgentReply } from "../../model/agent.ts";
import type { Step } from "../../model/flow/steps-registry.ts";
import { textOf } from "../../model/json.ts";
import { MOST_LISTED } from "../../model/limits.ts";
import { asMessage } from "../../model/message.ts";
import type { ExecutionSummary } from "../../model/records.ts";
import { KnowledgeDraft } from "../../model/roles.ts";
import { keepHead, keepTail } from "../bounds.ts";
import type { Condensed } from "../course.ts";
import type { RunContext } from "../run-context.ts";
import { learn, metadataOf } from "../summary-parts.ts";

const REASON_TOKENS = 1_000;

/** The record of one step. No model is needed: a step's output is structured already. */
export async function summarizeStep(
  context: RunContext,
  step: Step,
  { iteration, reply }: { iteration: number; reply: AgentReply },
): Promise<Condensed> {
  const { failure } = reply;
  const corrected = withStepId(reply.structured, step.stepId);
  const output = failure ? null : (corrected.output ?? null);
  const deviations = corrected.deviation && !failure ? [corrected.deviation] : [];
  const words = failure ? reply.text.trim() : ownSummary(output, reply.text);
  const reason = failure ? keepTail(words, REASON_TOKENS, "") : keepHead(words, REASON_TOKENS, "");
  const trouble = await learn(context, knowledgeIn(output));
  const text = output === null ? reply.text : JSON.stringify(output, null, 2);
  const artifact = await context.ports.files.saveOutput(text); // the record holds it, too: no need to flush
  const summary: ExecutionSummary = {
    type: "summary",
    iteration,
    approach: `${step.stepId}: ${step.name}`,
    result: failure ? "error" : "success",
    reason,
    artifacts: [artifact, ...reply.files_modified].slice(0, MOST_LISTED),
    metadata: metadataOf(reply, { error_type: failure?.code ?? null, strategy_tags: [] }),
    next: null,
    ...(failure && { failure: asMessage(failure.message) }),
    ...(reason !== words && { is_cut: true }),
    flow: { step_id: step.stepId, output, text: reply.text, deviations },
    timestamp: context.ports.clock.now().toISOString(),
  };
  return { summary, trouble };
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
  return returned ? { ...summary, reason: keepHead(returned, OUTPUT_TOKENS, "…") } : summary;
}
