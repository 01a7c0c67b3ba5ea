import type { AgentReply } from "../../model/agent.ts";
import type { RunEvent } from "../../model/events.ts";
import { message } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import { SummarizerResult } from "../../model/roles.ts";
import { fillTemplate } from "../../model/template.ts";
import { type Answered, answerTo, NO_ANSWER, type RoleRequest } from "../answer.ts";
import { hasSpentAll } from "../ask.ts";
import { Halt } from "../halt.ts";
import { estimateTokens, keepTail } from "../prompt/bounds.ts";
import { quoted, quotedUnder } from "../prompt/quotes.ts";
import { criteriaList, NONE, named } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";
import { outOfTimeMessage } from "../time-left.ts";
import type { CheckRun } from "./checks.ts";
import type { Execution } from "./execution-result.ts";
import { goalOf } from "./goal.ts";
import type { Shown } from "./shown.ts";

/** FR-006: how long a reason may be. */
export const REASON_TOKENS = 1_000;
const OUTPUT_TOKENS = 30_000;

/** What there is to summarize. */
interface Material {
  iteration: number;
  execution: Execution;
  reply: AgentReply;
  shown: Shown;
}

export function hasSummarizer({ configuration }: RunContext): boolean {
  return configuration.models.summarizer !== "none";
}

/**
 * Failed work is summarized as well: the next worker learns from it (FR-020). Not, however, where it left no trace, nor once a
 * budget is used up: then this run has no next worker.
 */
export function isAsked(context: RunContext, { result, failure }: Execution, reply: AgentReply): boolean {
  if (!hasSummarizer(context)) return false;
  if (!failure) return true;
  const traces = [result.output, ...reply.tools_used, ...reply.files_modified];
  return traces.some(Boolean) && !hasSpentAll(context);
}

/** Undefined where the summarizer gives no usable answer. */
export async function* askSummarizer(
  material: Material,
  checks: CheckRun,
): AsyncGenerator<RunEvent, SummarizerResult | undefined> {
  const beside = checks.isRunning && ({ beside: "check" } as const);
  yield { type: "phase-start", phase: "summarize", iteration: material.iteration, ...beside };
  const { value, problem } = yield* checks.beside((within) => askInTime(within, material));
  if (!value) yield { type: "notice", notice: notice("summary_mechanical", { problem: problem ?? NO_ANSWER }) };
  return value;
}

/** When the time is up, the summary is made without a model, and the work is still checked. */
async function* askInTime(
  context: RunContext,
  material: Material,
): AsyncGenerator<RunEvent, Answered<SummarizerResult>> {
  try {
    return yield* ask(context, material);
  } catch (error) {
    const limit = error instanceof Halt ? error.ending.stop_reason : undefined;
    if (limit !== "budget_time" && limit !== "deadline") throw error;
    return { problem: outOfTimeMessage(limit) };
  }
}

async function* ask(
  context: RunContext,
  { iteration, execution, reply, shown }: Material,
): AsyncGenerator<RunEvent, Answered<SummarizerResult>> {
  const goal = goalOf(context.ports.store.task);
  const { status, output } = execution.result;
  return yield* answerTo(context, {
    ...summarizerRequest(context),
    iteration,
    prompt: (objection) =>
      fillTemplate(context.prompts["summarizer-question"], {
        task: goal.task,
        criteria: criteriaList(goal.criteria, goal.answers),
        status,
        output: quoted(keepTail(output, OUTPUT_TOKENS)) || NONE,
        facts: factsOf(context, execution, reply) || NONE,
        ...shown,
        objection,
      }),
    objections: ({ reason }) => {
      const tokens = estimateTokens(reason);
      return tokens > REASON_TOKENS ? [message("reason_too_long", { tokens, limit: REASON_TOKENS })] : [];
    },
  });
}

function factsOf({ tell }: RunContext, { result, failure }: Execution, reply: AgentReply): string {
  const { semantic_metadata: own } = result;
  return [
    failure && quotedUnder("the worker did not finish", tell(failure)),
    named("tools used", reply.tools_used),
    named("files modified", reply.files_modified),
    own && quotedUnder("approach, as the worker puts it", own.approach),
    own && quotedUnder("discoveries, as the worker puts them", own.discoveries.slice(0, MOST_DISCOVERIES).join("\n")),
  ]
    .filter(Boolean)
    .join("\n");
}

const MOST_DISCOVERIES = 40;

export function summarizerRequest({ prompts }: RunContext): RoleRequest<SummarizerResult> {
  return { role: "summarizer", system_prompt: prompts.summarizer.text, schema: SummarizerResult };
}
