import type { Expectation } from "../../connection/ports/agent.ts";
import { sparesRecords } from "../../judgment/records-policy.ts";
import type { Assignment } from "../../model/agent.ts";
import type { RunEvent } from "../../model/events.ts";
import { CONTEXT_TOKENS } from "../../model/limits.ts";
import { notice } from "../../model/notices.ts";
import type { JudgmentRecord } from "../../model/records.ts";
import { refutedBy } from "../../model/refuted.ts";
import { ExecutionResult } from "../../model/roles.ts";
import type { RunState } from "../../model/state.ts";
import { fillTemplate } from "../../model/template.ts";
import { jsonSchemaOf } from "../answer.ts";
import { type Goal, goalOf } from "../goal/goal.ts";
import type { RunContext } from "../run-context.ts";
import { estimateTokens, keepTail } from "./bounds.ts";
import { feedbackItems } from "./feedback.ts";
import { fitted, MEMORY_SHARES, remember } from "./memory.ts";
import { NOTES_TOKENS, notesText } from "./notes.ts";
import { quoted } from "./quotes.ts";
import { criteriaList } from "./texts.ts";

/** The tokens of each part that we add to the task: a prompt stays within the context of an iteration, however long the history. */
const SHARES = { feedback: 16_000, ...MEMORY_SHARES, raw_output: 8_000, notes: NOTES_TOKENS };
const FRAME_TOKENS = 4_000;

/** Composes the executor's assignment from records only: it is the same after a crash. */
export async function* assignExecutor(
  context: RunContext,
  iteration: number,
  state: RunState,
): AsyncGenerator<RunEvent, Assignment> {
  const { configuration, prompts, ports } = context;
  const goal = goalOf(ports.store.task);
  const sections = await composeSections(context, goal, { iteration, state });
  if (sections.left_out > 0) yield { type: "notice", notice: notice("context_cut", { entries: sections.left_out }) };
  return {
    ...executorExpectation(context),
    iteration,
    prompt: fillTemplate(prompts.executor, {
      task: goal.task,
      criteria: criteriaList(goal.criteria, goal.answers),
      ...sections.texts,
      iteration: String(iteration),
      max_iterations: String(configuration.max_iterations),
    }),
  };
}

/** The common parts of all executor assignments. */
export function executorExpectation({ configuration, prompts }: RunContext): Expectation {
  const append = configuration.prompts.append_system_prompt ?? "";
  return {
    role: "executor",
    system_prompt: fillTemplate(prompts["executor-system"], { append }).trim(),
    schema: jsonSchemaOf(ExecutionResult),
    forbids: sparesRecords,
  };
}

async function composeSections(
  context: RunContext,
  goal: Goal,
  { iteration, state }: { iteration: number; state: RunState },
) {
  const { notes } = state;
  const judgment = refutedOrJudged(state);
  const share = sharesBeside(goal);
  const items = judgment ? feedbackItems(judgment, goal, { room: share.feedback, tell: context.tell }) : [];
  const feedback = fitted(items, share.feedback);
  const { left_out, ...memory } = await remember(context, goal, share);
  return {
    texts: {
      escalated: state.escalated ? context.prompts["executor-escalated"].text.trim() : "",
      notes: notesText(context.prompts, notes, { iteration, room: share.notes }),
      feedback: feedback.text,
      ...memory,
      raw_output: await lastOutput(context, share.raw_output),
    },
    left_out: left_out + feedback.left,
  };
}

/** The findings of a proof that refuted the claim stand in the place of the judgment that made it. */
function refutedOrJudged({ judgment, proof }: RunState): JudgmentRecord | null {
  return judgment && proof?.holds === false && proof.iteration === judgment.iteration
    ? refutedBy(judgment, proof)
    : judgment;
}

/** Where the text is that was handed in last, and with `raw_output_context` the text itself. */
async function lastOutput({ configuration, ports, prompts }: RunContext, tokens: number): Promise<string> {
  const { output_path: path } = ports.store;
  const text = await ports.store.readOutput();
  if (text === "") return "";
  const place = path === undefined ? "" : fillTemplate(prompts["executor-last-output"], { path });
  const quotation = { output: quoted(keepTail(text, tokens)) };
  const whole = configuration.raw_output_context > 0 ? fillTemplate(prompts["executor-raw-output"], quotation) : "";
  return [place, whole].filter(Boolean).join("\n");
}

/** A long task leaves less room for the rest. */
function sharesBeside(goal: Goal): typeof SHARES {
  const own = estimateTokens(JSON.stringify(goal));
  const room = Math.max(FRAME_TOKENS, CONTEXT_TOKENS - FRAME_TOKENS - own);
  const wanted = Object.values(SHARES).reduce((sum, share) => sum + share, 0);
  const factor = Math.min(1, room / wanted);
  const shares = Object.entries(SHARES).map(([name, share]) => [name, Math.floor(share * factor)]);
  return Object.fromEntries(shares) as typeof SHARES;
}
