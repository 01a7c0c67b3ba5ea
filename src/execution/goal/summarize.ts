import type { AgentReply } from "../../model/agent.ts";
import type { RunEvent } from "../../model/events.ts";
import { MOST_LISTED } from "../../model/limits.ts";
import type { ExecutionSummary, SummaryMetadata } from "../../model/records.ts";
import type { KnowledgeDraft, SummarizerResult } from "../../model/roles.ts";
import type { Condensed } from "../course.ts";
import { type KeptOutput, keepOutput } from "../output.ts";
import { headOf, tailOf } from "../prompt/bounds.ts";
import type { RunContext } from "../run-context.ts";
import { askSummarizer, isAsked, REASON_TOKENS } from "./ask-summarizer.ts";
import type { CheckRun } from "./checks.ts";
import { type Execution, executionOf, firstLine } from "./execution-result.ts";
import { goalOf } from "./goal.ts";
import { shownBy } from "./shown.ts";

const LONGEST_REASON_TOKENS = 4_000;

/** Condenses a reply into the record that the judge and the next worker read. The checks run at the same time. */
export async function* summarizeReply(
  context: RunContext,
  { iteration, reply, checks }: { iteration: number; reply: AgentReply; checks: CheckRun },
): AsyncGenerator<RunEvent, Condensed> {
  const execution = executionOf(reply);
  const output = await keep(context, iteration, execution);
  // Before the checks, which may change files.
  const shown = isAsked(context, execution, reply) ? await shownBy(context, reply) : undefined;
  checks.start(goalOf(context.ports.store.task).criteria);
  const draft = shown && (yield* askSummarizer({ iteration, execution, reply, shown }, checks));
  await output.stored;
  const summary = summaryOf(context, { iteration, reply, execution, draft, output });
  return { summary, knowledge: [...(draft?.knowledge ?? []), ...discoveriesIn(execution)] };
}

/** The same without a model. Does not name an output that cannot be saved. */
export async function outlineReply(context: RunContext, iteration: number, reply: AgentReply): Promise<Condensed> {
  const execution = executionOf(reply);
  const kept = async () => {
    const output = await keep(context, iteration, execution);
    await output.stored;
    return output;
  };
  const output = await kept().catch(() => undefined);
  return { summary: summaryOf(context, { iteration, reply, execution, output }), knowledge: discoveriesIn(execution) };
}

function keep(context: RunContext, iteration: number, { result, failure }: Execution): Promise<KeptOutput> {
  return keepOutput(context, { iteration, text: result.output, is_handed_in: failure === undefined });
}

interface SummaryParts {
  iteration: number;
  reply: AgentReply;
  execution: Execution;
  draft?: SummarizerResult | undefined;
  /** Undefined where it cannot be saved. */
  output: KeptOutput | undefined;
}

function summaryOf(
  context: RunContext,
  { iteration, reply, execution, draft, output }: SummaryParts,
): ExecutionSummary {
  const { result, error_type, failure } = execution;
  const approach = headOf(draft?.approach ?? ownApproach(execution), REASON_TOKENS);
  const reason = draft ? headOf(draft.reason, LONGEST_REASON_TOKENS) : tailOf(result.output, REASON_TOKENS);
  const artifacts = [...result.artifacts, ...(draft?.artifacts ?? []), ...(output?.artifacts ?? [])];
  return {
    type: "summary",
    iteration,
    approach: approach.text,
    result: result.status,
    reason: reason.text,
    artifacts: [...new Set(artifacts)].slice(0, MOST_LISTED),
    metadata: metadataOf(reply, { error_type, strategy_tags: result.semantic_metadata?.strategy_tags ?? [] }),
    next: draft?.next ?? null,
    ...(failure && { failure }),
    ...((approach.is_cut || reason.is_cut) && { is_cut: true }),
    ...output?.files,
    timestamp: context.ports.clock.now().toISOString(),
  };
}

function ownApproach({ result }: Execution): string {
  return result.semantic_metadata?.approach || firstLine(result.output);
}

/** The mechanical facts of a summary: from the agent's stream and the file system, never from a model. */
export function metadataOf(
  reply: AgentReply,
  more: Pick<SummaryMetadata, "error_type" | "strategy_tags">,
): SummaryMetadata {
  return {
    tools_used: reply.tools_used.slice(0, MOST_LISTED),
    files_modified: reply.files_modified.slice(0, MOST_LISTED),
    tokens_used: reply.usage.tokens,
    ...more,
    ...(reply.tools_denied && { tools_denied: reply.tools_denied.slice(0, MOST_LISTED) }),
  };
}

/** The worker's own findings, which a summarizer might overlook. The store merges duplicates. */
function discoveriesIn({ result }: Execution): KnowledgeDraft[] {
  const { discoveries = [] } = result.semantic_metadata ?? {};
  return discoveries.map((content) => ({
    type: "discovery",
    category: "general",
    content,
    example_file: null,
    confidence: "medium",
  }));
}
