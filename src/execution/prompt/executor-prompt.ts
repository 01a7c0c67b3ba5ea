import type { Expectation } from "../../connection/ports/agent.ts";
import { sparesRecords } from "../../judgment/records-policy.ts";
import type { Assignment } from "../../model/agent.ts";
import type { RunEvent } from "../../model/events.ts";
import { notice } from "../../model/notices.ts";
import { ExecutionResult } from "../../model/roles.ts";
import type { RunState } from "../../model/state.ts";
import { fillTemplate } from "../../model/template.ts";
import { jsonSchemaOf } from "../answer.ts";
import { type Goal, goalOf } from "../goal/goal.ts";
import type { RunContext } from "../run-context.ts";
import { estimateTokens, keepTail } from "./bounds.ts";
import { feedbackItems } from "./feedback.ts";
import { fitted, MEMORY_SHARES, remember } from "./memory.ts";
import { criteriaList } from "./texts.ts";

/** SC-003: a prompt stays under this, however long the history. */
const PROMPT_TOKENS = 100_000;
/** The tokens of each part that we add to the task. */
const SHARES = { feedback: 16_000, ...MEMORY_SHARES, raw_output: 8_000 };
const FRAME_TOKENS = 4_000;

/** Composes the executor's assignment from records only: it is the same after a crash. */
export async function* assignExecutor(
  context: RunContext,
  iteration: number,
  state: RunState,
): AsyncGenerator<RunEvent, Assignment> {
  const { configuration, prompts, ports } = context;
  const goal = goalOf(ports.store.task);
  const sections = await composeSections(context, goal, state);
  if (sections.left_out > 0) yield { type: "notice", notice: notice("context_cut", { entries: sections.left_out }) };
  return {
    ...executorExpectation(context),
    iteration,
    prompt: fillTemplate(prompts.executor, {
      task: goal.task,
      criteria: criteriaList(goal.criteria),
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

async function composeSections(context: RunContext, goal: Goal, { judgment }: RunState) {
  const share = sharesBeside(goal);
  const items = judgment ? feedbackItems(judgment, goal, { room: share.feedback, tell: context.tell }) : [];
  const feedback = fitted(items, share.feedback);
  const { left_out, ...memory } = await remember(context, goal.task, share);
  return {
    texts: {
      feedback: feedback.text,
      ...memory,
      raw_output: await lastOutput(context, share.raw_output),
    },
    left_out: left_out + feedback.left,
  };
}

/** Where the text is that was handed in last, and with `raw_output_context` the text itself. */
async function lastOutput({ configuration, ports, prompts }: RunContext, tokens: number): Promise<string> {
  const { output_path: path } = ports.store;
  const text = await ports.store.readOutput();
  if (text === "") return "";
  const place = path === undefined ? "" : fillTemplate(prompts["executor-last-output"], { path });
  const quotation = { output: keepTail(text, tokens) };
  const whole = configuration.raw_output_context > 0 ? fillTemplate(prompts["executor-raw-output"], quotation) : "";
  return [place, whole].filter(Boolean).join("\n");
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
