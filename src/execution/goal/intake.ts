import type { Criterion } from "../../model/criterion.ts";
import type { RunEvent } from "../../model/events.ts";
import { type Message, message } from "../../model/message.ts";
import { notice } from "../../model/notices.ts";
import { IntakeResult } from "../../model/roles.ts";
import { answered } from "../../model/task.ts";
import { fillTemplate } from "../../model/template.ts";
import { answerTo, NO_ANSWER, type RoleRequest } from "../answer.ts";
import { Halt, haltIfAborted } from "../halt.ts";
import { checkList, lines, semanticList } from "../prompt/texts.ts";
import type { RunContext } from "../run-context.ts";
import { semanticCount } from "./goal.ts";

/** How often the user is asked. The intake also reads the last answers. */
const ROUNDS = 3;

/** Has the intake look at the task and its criteria before any work. Open questions end the run. */
export async function* takeIn(context: RunContext): AsyncGenerator<RunEvent, void> {
  if (!needsIntake(context)) return;
  for (let round = 1; ; round++) {
    const said = openIntake(context) ?? (yield* askIntake(context));
    const result = said ?? inOwnWords(context);
    await context.ports.store.save({ intake: result });
    if (said) yield { type: "intake", result: said, criteria: context.configuration.criteria };
    if (result.status === "accepted") return;
    const { clarification_questions } = result;
    yield { type: "clarification", questions: clarification_questions };
    const answers = round > ROUNDS ? undefined : await context.ports.ask?.(clarification_questions);
    const { store } = context.ports;
    if (answers) await store.save(answered(store.task, answers));
    haltIfAborted(context.signal);
    const left = openIntake(context)?.clarification_questions;
    if (left) throw new Halt({ stop_reason: "clarification_needed", clarification_questions: left });
  }
}

export function needsIntake({ configuration, ports }: RunContext): boolean {
  const asked = configuration.intake && semanticCount(configuration.criteria) > 0;
  return asked && ports.store.task.intake?.status !== "accepted";
}

/** Open questions of an earlier run: asking the model again would cost money. */
function openIntake({ ports }: RunContext): IntakeResult | undefined {
  const { intake } = ports.store.task;
  return intake?.status === "needs_clarification" ? intake : undefined;
}

/** Undefined: no usable answer. */
async function* askIntake(context: RunContext): AsyncGenerator<RunEvent, IntakeResult | undefined> {
  const { configuration, prompts, ports } = context;
  const { criteria, task } = configuration;
  yield { type: "phase-start", phase: "intake", iteration: 0 };
  const answers = ports.store.task.answers.map(({ question, answer }) => `- ${question}\n  ${answer}`);
  const { value, problem } = yield* answerTo(context, {
    ...intakeRequest(context),
    iteration: 0,
    prompt: (objection) =>
      fillTemplate(prompts["intake-question"], {
        task,
        criteria: semanticList(criteria),
        checks: checkList(criteria),
        answers: lines(answers),
        objection,
      }),
    objections: (answer) => objectionsTo(answer, ownSentences(criteria)),
  });
  if (value && !problem) return value;
  yield { type: "notice", notice: notice("intake_ignored", { problem: problem ?? NO_ANSWER }) };
}

export function intakeRequest({ prompts }: RunContext): RoleRequest<IntakeResult> {
  return { role: "intake", system_prompt: prompts.intake.text, schema: IntakeResult };
}

/** Without a usable answer, the user's own words stand: a failing intake must not block a clear task. */
function inOwnWords({ configuration }: RunContext): IntakeResult {
  const { task } = configuration;
  const criteria = ownSentences(configuration.criteria);
  return { status: "accepted", task, criteria, clarification_questions: [], validation_notes: null };
}

function ownSentences(criteria: readonly Criterion[]): string[] {
  return criteria.flatMap((one) => (one.type === "semantic" ? [one.text] : []));
}

/** Other wordings are welcome; a text that is another criterion's own shows that they were reordered. */
function objectionsTo({ status, criteria, clarification_questions }: IntakeResult, own: readonly string[]): Message[] {
  if (status === "needs_clarification")
    return clarification_questions.length === 0 ? [message("intake_question_missing", {})] : [];
  const { length: found } = criteria;
  if (found !== own.length) return [message("intake_criteria_count", { found, expected: own.length })];
  const isMoved = (text: string, index: number) => text.trim() !== own[index] && own.includes(text.trim());
  return criteria.some(isMoved) ? [message("intake_criteria_order", {})] : [];
}
