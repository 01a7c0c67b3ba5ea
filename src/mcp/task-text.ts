import type { UnknownAmount } from "../model/usage.ts";
import type { Door } from "./door.ts";
import type { TaskFacts } from "./task-facts.ts";

/** The same facts in words: what most models read, and show to people. */
export function taskText(facts: TaskFacts, { texts }: Pick<Door, "texts">): string {
  const { doors, labeled, report } = texts;
  const { stop_reason, error } = facts;
  return [
    `${facts.task_id}  ${statusText(facts, texts)}`,
    ...(stop_reason ? [texts.stop[stop_reason as keyof typeof texts.stop] ?? stop_reason] : []),
    labeled(doors.task, facts.task),
    [
      labeled(report.iterations, `${facts.iterations}/${facts.max_iterations}`),
      labeled(report.tokens, amountText(facts, "tokens", texts)),
      labeled(report.cost, amountText(facts, "cost", texts)),
    ].join("   "),
    ...facts.criteria.map(({ id, criterion, is_met }) => `${mark(is_met)} ${id}. ${criterion}`),
    ...(facts.is_proved === null ? [] : [facts.is_proved ? doors.proved : doors.notProved]),
    ...(facts.last ? [labeled(doors.last(facts.last.iteration), facts.last.reason || facts.last.approach)] : []),
    ...facts.questions.map(({ question, suggested_answers: choices }, index) =>
      [`? ${index + 1}. ${question}`, ...choices.map((choice) => `   - ${choice}`)].join("\n"),
    ),
    ...(error ? [labeled(texts.error, error.message), error.hint] : []),
    labeled(texts.nextStep, facts.next_step),
  ].join("\n");
}

function amountText(
  { tokens, cost_usd, unknown }: TaskFacts,
  amount: UnknownAmount,
  { report }: Door["texts"],
): string {
  const known = amount === "cost" ? `$${cost_usd.toFixed(2)}` : String(tokens);
  if (!unknown.includes(amount)) return known;
  return (amount === "cost" ? cost_usd : tokens) > 0 ? report.atLeast(known) : report.unknown;
}

export function statusText({ status }: Pick<TaskFacts, "status">, { status: said, list }: Door["texts"]): string {
  const words: Readonly<Record<string, string>> = {
    ...said,
    running: list.running,
    paused: list.paused,
    interrupted: list.interrupted,
  };
  return words[status] ?? status;
}

function mark(isMet: boolean | null): string {
  return isMet === null ? "?" : isMet ? "✔" : "✘";
}
