import type { FailureGroup } from "../connection/ports.ts";
import type { Assignment } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { ExecutionSummary } from "../model/records.ts";
import { ExecutionResult, type Knowledge } from "../model/roles.ts";
import type { RunState } from "../model/state.ts";
import { fillTemplate } from "../model/template.ts";
import { jsonSchemaOf } from "./answer.ts";
import { estimateTokens, keepHead, keepTail, takeFitting } from "./bounds.ts";
import { feedbackItems } from "./feedback.ts";
import { type Goal, goalOf } from "./goal.ts";
import type { RunContext } from "./run-context.ts";
import { criteriaList, lines, summaryText } from "./texts.ts";

/** SC-003: a prompt stays under this, however long the history. */
const PROMPT_TOKENS = 100_000;
/** What we add around the task, and how it is shared out. */
const SHARES = { feedback: 16_000, history: 24_000, failures: 16_000, knowledge: 12_000, raw_output: 8_000 };
const FRAME_TOKENS = 4_000;
const KNOWLEDGE_TOKENS = 330;
const SUMMARY_TOKENS = 1_200;

/** Composes the executor's assignment from nothing but records: the same after a crash as before it. */
export async function* assignExecutor(
  context: RunContext,
  iteration: number,
  state: RunState,
): AsyncGenerator<RunEvent, Assignment> {
  const { configuration, prompts, ports, phrases } = context;
  const goal = goalOf(ports.files.task);
  const knowledge = await ports.knowledge.relevant(goal.task, configuration.knowledge_context_size);
  const sections = await composeSections(context, { goal, state, knowledge });
  ports.knowledge.applied(sections.known);
  if (sections.left_out > 0)
    yield { type: "notice", notice: notice("context_cut", { what: `${sections.left_out} old entries` }) };
  const append = configuration.prompts.append_system_prompt ?? "";
  return {
    role: "executor",
    iteration,
    prompt: fillTemplate(prompts.executor, {
      task: goal.task,
      criteria: criteriaList(goal.criteria, phrases),
      ...sections.texts,
      iteration: String(iteration),
      max_iterations: String(configuration.max_iterations),
    }),
    system_prompt: fillTemplate(prompts["executor-system"], { append }).trim(),
    schema: jsonSchemaOf(ExecutionResult),
    max_turns: configuration.claude_options.max_turns.execution,
  };
}

interface Material {
  goal: Goal;
  state: RunState;
  knowledge: Knowledge[];
}

async function composeSections(context: RunContext, { goal, state, knowledge }: Material) {
  const { configuration, phrases, ports } = context;
  const history = await ports.history.context(configuration.history_context_size);
  const share = sharesBeside(goal);
  const parts = {
    feedback: fitted(
      state.judgment ? feedbackItems(state.judgment, goal, share.feedback, phrases) : [],
      share.feedback,
      context,
    ),
    // The newest summaries are kept first when not all fit, and shown oldest first.
    history: fitted(
      history.latest.toReversed().map((one) => summaryItem(one, context)),
      share.history,
      context,
      true,
    ),
    failures: fitted(history.failures.toReversed().map(failureItem), share.failures, context, true),
    knowledge: fitted(
      knowledge.map((one) => knowledgeItem(one, context)),
      share.knowledge,
      context,
    ),
  };
  const raw = configuration.raw_output_context > 0 ? await ports.files.readOutput() : "";
  return {
    texts: {
      feedback: parts.feedback.text,
      history: parts.history.text,
      failures: withLeftOut(parts.failures.text, history.failures_left_out, phrases.leftOut),
      knowledge: parts.knowledge.text,
      raw_output: raw && rawOutput(keepTail(raw, share.raw_output, `${phrases.cut}\n`), context),
    },
    known: knowledge.slice(0, knowledge.length - parts.knowledge.left),
    left_out: history.failures_left_out + Object.values(parts).reduce((sum, part) => sum + part.left, 0),
  };
}

/** A long task leaves less room for the rest. */
function sharesBeside(goal: Goal): typeof SHARES {
  const own = estimateTokens(JSON.stringify(goal));
  const room = Math.max(FRAME_TOKENS, PROMPT_TOKENS - FRAME_TOKENS - own);
  const wanted = Object.values(SHARES).reduce((sum, share) => sum + share, 0);
  const factor = Math.min(1, room / wanted);
  const shares = Object.entries(SHARES).map(([name, share]) => [name, Math.floor(share * factor)]);
  return Object.fromEntries(shares) as typeof SHARES;
}

function fitted(items: readonly string[], tokens: number, { phrases }: RunContext, reverse = false) {
  const { taken, left } = takeFitting(items, tokens);
  const text = lines(reverse ? taken.reverse() : taken, phrases);
  return { text: withLeftOut(text, left, phrases.leftOut), left };
}

function withLeftOut(text: string, left: number, say: (count: number) => string): string {
  return left === 0 ? text : `${text}\n${say(left)}`;
}

function rawOutput(output: string, { prompts }: RunContext): string {
  return fillTemplate(prompts["executor-raw-output"], { output });
}

function summaryItem(summary: ExecutionSummary, { phrases }: RunContext): string {
  const reason = keepHead(summary.reason, SUMMARY_TOKENS, phrases.cut);
  const text = keepHead(summaryText(summary, reason), SUMMARY_TOKENS * 2, phrases.cut);
  return `## Iteration ${summary.iteration}\n${text}\n`;
}

function failureItem({ approach, reason, count, first_iteration, last_iteration }: FailureGroup): string {
  const when =
    count === 1 ? `iteration ${first_iteration}` : `${count} times, iterations ${first_iteration} to ${last_iteration}`;
  return `- (${when}) ${approach}: ${reason}`;
}

function knowledgeItem(
  { type, category, content, example_file, confidence }: Knowledge,
  { phrases }: RunContext,
): string {
  const where = example_file ? ` (${example_file})` : "";
  return `- [${type}, ${category}, ${confidence} confidence] ${keepHead(content, KNOWLEDGE_TOKENS, phrases.cut)}${where}`;
}
