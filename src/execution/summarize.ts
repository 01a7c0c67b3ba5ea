import type { AgentReply } from "../model/agent.ts";
import { E8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { MOST_LISTED } from "../model/limits.ts";
import { notice } from "../model/notices.ts";
import type { ExecutionSummary } from "../model/records.ts";
import type { KnowledgeDraft } from "../model/roles.ts";
import { SummarizerResult } from "../model/roles.ts";
import { fillTemplate } from "../model/template.ts";
import { type Answered, answerTo, NO_ANSWER, type Office } from "./answer.ts";
import { keepHead, keepTail } from "./bounds.ts";
import { besideChecks, type Checks } from "./checks.ts";
import type { Condensed } from "./course.ts";
import { type Execution, executionOf, firstLine } from "./execution-result.ts";
import { goalOf } from "./goal.ts";
import { Halt } from "./halt.ts";
import type { RunContext } from "./run-context.ts";
import { learn, metadataOf } from "./summary-parts.ts";
import { criteriaList, named, onOneLine, quoted } from "./texts.ts";

const REASON_TOKENS = 1_000;
const LONGEST_REASON_TOKENS = 4_000;
const OUTPUT_TOKENS = 30_000;

/** A reply, what it amounts to, and where its text was saved. */
export interface SavedReply {
  reply: AgentReply;
  execution: Execution;
  output: string;
  flushed: Promise<void>;
}

/** Puts the worker's text where a person, or a check, can read it; neither of them has to wait for the disk. */
export async function saveReply({ ports, phrases }: RunContext, reply: AgentReply): Promise<SavedReply> {
  const execution = executionOf(reply, phrases);
  const output = await ports.files.saveOutput(execution.result.output);
  const flushed = ports.files.flushOutput();
  flushed.catch(() => {}); // met where the summary is made, if it comes to that
  return { reply, execution, output, flushed };
}

/** Condenses a reply into the record that the judge and the next worker read, and keeps what was learned. */
export async function* summarizeReply(
  context: RunContext,
  iteration: number,
  { reply, execution, output, flushed, checks }: SavedReply & { checks?: Checks },
): AsyncGenerator<RunEvent, Condensed> {
  const words = yield* wordsFor(context, iteration, { execution, reply, checks });
  const unlearned = await learn(context, [...words.knowledge, ...discoveriesIn(execution)]);
  await flushed;
  const summary: ExecutionSummary = {
    type: "summary",
    iteration,
    approach: keepHead(words.approach, REASON_TOKENS, context.phrases.cut),
    result: execution.result.status,
    reason: keepHead(words.reason, LONGEST_REASON_TOKENS, context.phrases.cut),
    artifacts: [...new Set([...execution.result.artifacts, ...words.artifacts, output])].slice(0, MOST_LISTED),
    metadata: metadataOf(reply, {
      error_type: execution.error_type,
      strategy_tags: execution.result.semantic_metadata?.strategy_tags ?? [],
    }),
    next: words.next,
    ...(execution.wordings && { wordings: execution.wordings }),
    timestamp: context.ports.clock.now().toISOString(),
  };
  return { summary, trouble: words.trouble ?? unlearned };
}

/** A worker that failed has left little to condense; that, and a summarizer set to `none`, is done without a model. */
async function* wordsFor(
  context: RunContext,
  iteration: number,
  { execution, reply, checks }: { execution: Execution; reply: AgentReply; checks: Checks | undefined },
): AsyncGenerator<RunEvent, SummaryDraft> {
  if (!hasSummarizer(context) || execution.error_type !== null) return mechanical(execution, context);
  const beside = checks && checks.untold.length > 0 && ({ beside: "check" } as const);
  yield { type: "phase-start", phase: "summarize", iteration, ...beside };
  const asked = (within: RunContext) => askOrGiveUp(within, iteration, { execution, reply });
  const { value, problem, trouble } = yield* checks ? besideChecks(context, checks, asked) : asked(context);
  if (value) return value;
  yield { type: "notice", notice: notice("summary_mechanical", { problem: problem ?? NO_ANSWER }) };
  return { ...mechanical(execution, context), trouble };
}

export function hasSummarizer({ configuration }: RunContext): boolean {
  return configuration.models.summarizer !== "none";
}

/** What a summary says, and what must end the run once it is recorded. */
type SummaryDraft = SummarizerResult & { trouble?: unknown };

/** Work is recorded even when the run must end before it is condensed: the trouble is met right after. */
async function* askOrGiveUp(
  ...question: Parameters<typeof askSummarizer>
): AsyncGenerator<RunEvent, Answered<SummarizerResult> & { trouble?: unknown }> {
  try {
    return yield* askSummarizer(...question);
  } catch (trouble) {
    if (isOutOfTime(trouble)) return { problem: OUT_OF_TIME };
    if (trouble instanceof Halt || trouble instanceof E8Error) return { problem: RUN_ENDS, trouble };
    throw trouble;
  }
}

/** Then no further model is asked, but the work is still checked. */
function isOutOfTime(trouble: unknown): boolean {
  return trouble instanceof Halt && trouble.ending.stop_reason === "budget_time";
}

const OUT_OF_TIME = { en: "the run's time budget is used up", ja: "実行の時間の予算を使い切ったため" };
/** Why it ends is said by its ending. */
const RUN_ENDS = { en: "the run cannot go on", ja: "実行を続けられないため" };

async function* askSummarizer(
  context: RunContext,
  iteration: number,
  { execution, reply }: { execution: Execution; reply: AgentReply },
): AsyncGenerator<RunEvent, Answered<SummarizerResult>> {
  const { phrases, prompts, ports } = context;
  const goal = goalOf(ports.files.task);
  const { status, output, semantic_metadata } = execution.result;
  const facts = [
    named("tools used", reply.tools_used),
    named("files modified", reply.files_modified),
    semantic_metadata && `approach, as the worker puts it: ${onOneLine(semantic_metadata.approach)}`,
    semantic_metadata && named("discoveries, as the worker puts them", semantic_metadata.discoveries),
  ];
  return yield* answerTo(context, {
    ...summarizerOffice(context),
    iteration,
    prompt: (objection) =>
      fillTemplate(prompts["summarizer-question"], {
        task: goal.task,
        criteria: criteriaList(goal.criteria, phrases),
        status,
        output: quoted(keepTail(output, OUTPUT_TOKENS, `${phrases.cut}\n`)),
        facts: facts.filter(Boolean).join("\n") || phrases.none,
        objection,
      }),
    objections: () => [],
  });
}

export function summarizerOffice({ prompts }: RunContext): Office<SummarizerResult> {
  return {
    role: "summarizer",
    system_prompt: prompts.summarizer.text,
    schema: SummarizerResult,
  };
}

function mechanical({ result }: Execution, { phrases }: RunContext): SummarizerResult {
  return {
    approach: result.semantic_metadata?.approach || firstLine(result.output) || phrases.noApproach,
    reason: keepTail(result.output, REASON_TOKENS, `${phrases.cut}\n`),
    artifacts: [],
    next: null,
    knowledge: [],
  };
}

/** The worker's own findings, which no summarizer can overlook: the store merges what is said twice. */
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
