import type { SavedOutput } from "../../connection/ports/task-store.ts";
import type { AgentReply } from "../../model/agent.ts";
import type { RunEvent } from "../../model/events.ts";
import { MOST_LISTED } from "../../model/limits.ts";
import { notice } from "../../model/notices.ts";
import type { ExecutionSummary, SummaryMetadata } from "../../model/records.ts";
import { type KnowledgeDraft, SummarizerResult } from "../../model/roles.ts";
import { fillTemplate } from "../../model/template.ts";
import { type Answered, answerTo, NO_ANSWER, type RoleRequest } from "../answer.ts";
import type { Condensed } from "../course.ts";
import { Halt } from "../halt.ts";
import { headOf, keepTail, tailOf } from "../prompt/bounds.ts";
import { criteriaList, NONE, named, onOneLine, quoted } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";
import { outOfTimeMessage } from "../time-left.ts";
import type { CheckRun } from "./checks.ts";
import { type Execution, executionOf, firstLine } from "./execution-result.ts";
import { goalOf } from "./goal.ts";

const REASON_TOKENS = 1_000;
const LONGEST_REASON_TOKENS = 4_000;
const OUTPUT_TOKENS = 30_000;

/** Condenses a reply into the record that the judge and the next worker read. The checks run at the same time. */
export async function* summarizeReply(
  context: RunContext,
  { iteration, reply, checks }: { iteration: number; reply: AgentReply; checks: CheckRun },
): AsyncGenerator<RunEvent, Condensed> {
  const { store } = context.ports;
  const execution = executionOf(reply);
  const output = await store.saveOutput(outputText(execution, context));
  checks.start(goalOf(store.task).criteria);
  const draft = yield* draftFor(context, iteration, { execution, reply, checks });
  await output.stored;
  const summary = summaryOf(context, { iteration, reply, execution, draft, output });
  return { summary, knowledge: [...(draft?.knowledge ?? []), ...discoveriesIn(execution)] };
}

/** The same without a model. Does not name an output that cannot be saved. */
export async function outlineReply(context: RunContext, iteration: number, reply: AgentReply): Promise<Condensed> {
  const execution = executionOf(reply);
  const keep = async () => {
    const output = await context.ports.store.saveOutput(outputText(execution, context));
    await output.stored;
    return output;
  };
  const output = await keep().catch(() => undefined);
  return { summary: summaryOf(context, { iteration, reply, execution, output }), knowledge: discoveriesIn(execution) };
}

/** The text of the iteration's output file, for people and checks. */
function outputText({ result, failure }: Execution, { tell }: RunContext): string {
  return [failure ? tell(failure) : "", result.output].filter(Boolean).join("\n\n");
}

/** Undefined without a summarizer, for a failed worker, and where the summarizer gives no usable answer. */
async function* draftFor(
  context: RunContext,
  iteration: number,
  { execution, reply, checks }: { execution: Execution; reply: AgentReply; checks: CheckRun },
): AsyncGenerator<RunEvent, SummarizerResult | undefined> {
  if (!hasSummarizer(context) || execution.error_type !== null) return undefined;
  const beside = checks.isRunning && ({ beside: "check" } as const);
  yield { type: "phase-start", phase: "summarize", iteration, ...beside };
  const { value, problem } = yield* checks.beside((within) => askInTime(within, iteration, { execution, reply }));
  if (!value) yield { type: "notice", notice: notice("summary_mechanical", { problem: problem ?? NO_ANSWER }) };
  return value;
}

export function hasSummarizer({ configuration }: RunContext): boolean {
  return configuration.models.summarizer !== "none";
}

/** When the time is up, the summary is made without a model, and the work is still checked. */
async function* askInTime(
  ...question: Parameters<typeof askSummarizer>
): AsyncGenerator<RunEvent, Answered<SummarizerResult>> {
  try {
    return yield* askSummarizer(...question);
  } catch (error) {
    const limit = error instanceof Halt ? error.ending.stop_reason : undefined;
    if (limit !== "budget_time" && limit !== "deadline") throw error;
    return { problem: outOfTimeMessage(limit) };
  }
}

async function* askSummarizer(
  context: RunContext,
  iteration: number,
  { execution, reply }: { execution: Execution; reply: AgentReply },
): AsyncGenerator<RunEvent, Answered<SummarizerResult>> {
  const goal = goalOf(context.ports.store.task);
  const { status, output, semantic_metadata } = execution.result;
  const facts = [
    named("tools used", reply.tools_used),
    named("files modified", reply.files_modified),
    semantic_metadata && `approach, as the worker puts it: ${onOneLine(semantic_metadata.approach)}`,
    semantic_metadata && named("discoveries, as the worker puts them", semantic_metadata.discoveries),
  ];
  return yield* answerTo(context, {
    ...summarizerRequest(context),
    iteration,
    prompt: (objection) =>
      fillTemplate(context.prompts["summarizer-question"], {
        task: goal.task,
        criteria: criteriaList(goal.criteria),
        status,
        output: quoted(keepTail(output, OUTPUT_TOKENS)),
        facts: facts.filter(Boolean).join("\n") || NONE,
        objection,
      }),
    objections: () => [],
  });
}

export function summarizerRequest({ prompts }: RunContext): RoleRequest<SummarizerResult> {
  return { role: "summarizer", system_prompt: prompts.summarizer.text, schema: SummarizerResult };
}

interface SummaryParts {
  iteration: number;
  reply: AgentReply;
  execution: Execution;
  draft?: SummarizerResult | undefined;
  output: SavedOutput | undefined;
}

function summaryOf(
  context: RunContext,
  { iteration, reply, execution, draft, output }: SummaryParts,
): ExecutionSummary {
  const { result, error_type, failure } = execution;
  const approach = headOf(draft?.approach ?? ownApproach(execution), REASON_TOKENS);
  const reason = draft ? headOf(draft.reason, LONGEST_REASON_TOKENS) : tailOf(result.output, REASON_TOKENS);
  const artifacts = [...result.artifacts, ...(draft?.artifacts ?? []), ...(output ? [output.name] : [])];
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
  const discoveries = result.semantic_metadata?.discoveries.filter((content) => content.trim() !== "") ?? [];
  return discoveries.map((content) => ({
    type: "discovery",
    category: "general",
    content,
    example_file: null,
    confidence: "medium",
  }));
}
