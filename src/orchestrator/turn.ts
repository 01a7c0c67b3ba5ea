import type { Turn, TurnResult, TurnWorker } from "../connection/ports/backlog.ts";
import type { Clock } from "../connection/ports/clock.ts";
import type { IssueTracker } from "../connection/ports/tracker.ts";
import { applyEffects } from "../execution/effects.ts";
import type { BacklogEvent, EndedTurnRecord } from "../model/backlog.ts";
import { E8Error, problemOf } from "../model/errors.ts";
import { drain } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import type { Workflow } from "../model/flow/workflow.ts";
import type { TrackedItem } from "../model/issue.ts";
import { message, type Statement } from "../model/message.ts";
import type { TaskId } from "../model/task.ts";
import type { QueueBook } from "./book.ts";
import type { Choice } from "./choose.ts";
import { commentFor, handoversFor } from "./handover.ts";
import { outcomeOf } from "./outcome.ts";
import { openTurn } from "./queue.ts";
import { effectKey, type Settling, settlingEffects, takeLabelsBack } from "./settlement.ts";
import { settle } from "./workflow.ts";

export interface TurnParts {
  tracker: IssueTracker;
  worker: TurnWorker;
  clock: Clock;
  /** Says a statement on the tracker. */
  tell: (statement: Statement) => string;
  book: QueueBook;
  workflow?: Workflow | undefined;
}

/** A chosen issue, and what to do with it. */
export interface Chosen {
  issue: TrackedItem;
  choice: Extract<Choice, { do: "work" }>;
}

export interface TurnListener {
  /** The task is stored. */
  stored(id: TaskId): void;
  event(event: RunEvent): void;
  tell(event: BacklogEvent): void;
}

/** `closed`: the tracker has closed the issue. `open`: it goes on, or rests where it is. `undone`: a person has to look at it. */
export type TurnEnd = { is: "closed" } | { is: "open" } | { is: "undone"; problem: Statement } | { is: "stopped" };

/** Carries one turn of an issue to its end, from wherever its records end. */
export async function takeTurn(
  parts: TurnParts,
  { issue, choice, turn }: Chosen & { turn: Turn },
  listener: TurnListener,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const open = openTurn(parts.book.item(issue.number));
  const isStored = open !== undefined && (open.ended !== undefined || (await parts.worker.has(open.task_id)));
  const task_id = open && isStored ? open.task_id : await created(parts, { issue, choice, turn });
  listener.stored(task_id);
  const chosen = { issue, choice };
  const ended =
    open?.ended ?? (await carried(parts, { ...chosen, turn, task_id, resumed: isStored }, listener, signal));
  if (!ended) return { is: "stopped" };
  const settling = settlingOf(parts, chosen, ended);
  if (!settling) return { is: "undone", problem: notDone(ended) };
  await tellTracker(parts, settling, listener, signal);
  await parts.book.enter({ type: "settled", issue: issue.number, task_id });
  return { is: settling.closes ? "closed" : "open" };
}

/** The turn is recorded before its task is there: no task is left that no turn knows of. */
function created({ worker, book }: TurnParts, { issue, choice, turn }: Chosen & { turn: Turn }): Promise<TaskId> {
  const { number, title } = issue;
  return worker.create(turn, (task_id) =>
    book.enter({ type: "turn", issue: number, title, task_id, ...namesIn(choice) }),
  );
}

function namesIn({ phase, agent }: Chosen["choice"]) {
  return { ...(phase !== undefined && { phase }), ...(agent !== undefined && { agent }) };
}

/** Has the task run to its end. Undefined where it was stopped: it goes on another time. */
async function carried(
  parts: TurnParts,
  { issue, choice, turn, task_id, resumed }: Chosen & { turn: Turn; task_id: TaskId; resumed: boolean },
  listener: TurnListener,
  signal: AbortSignal,
): Promise<EndedTurnRecord | undefined> {
  const { number, title } = issue;
  listener.tell({ type: "turn-start", issue: number, title, task_id, ...namesIn(choice), resumed });
  const done = await drain(parts.worker.carry(task_id, turn, { resumed, signal }), (envelope) => {
    listener.event(envelope.event);
    listener.tell({ type: "run", issue: number, task_id, envelope });
  });
  if (done.result.status === "cancelled" && signal.aborted) return undefined;
  const ended = await endOf(parts, { issue, choice }, { task_id, done });
  await parts.book.enter(ended);
  listener.tell({ type: "turn-end", issue: number, title, task_id, ended });
  return ended;
}

/** What follows from the end of a run. Files for the next agent are written before it is recorded. */
async function endOf(
  { workflow, worker, clock }: TurnParts,
  { issue, choice }: Chosen,
  { task_id, done }: { task_id: TaskId; done: TurnResult },
): Promise<EndedTurnRecord> {
  const { status, stop_reason, landing, usage } = done.result;
  const plain = { type: "ended", issue: issue.number, task_id, status } as const;
  const facts = {
    ...(landing && { landing: landing.outcome }),
    ...(stop_reason === "already_true" && { was_done: true as const }),
    ...{ cost_usd: usage.cost_usd, tokens: usage.tokens, timestamp: clock.now().toISOString() },
  };
  const agent = choice.agent === undefined ? undefined : workflow?.agents[choice.agent];
  if (!workflow || !agent || choice.agent === undefined) return { ...plain, outcome: status, ...facts };
  const outcome = outcomeOf(agent, done);
  const turn = { agent: choice.agent, outcome, result: done.output };
  for (const handover of handoversFor(workflow, turn, { workflow, issue })) {
    if ("problem" in handover)
      throw new E8Error("handover_impossible", { id: handover.id, problem: handoverProblem(handover.problem) });
    await worker.handOver(issue.number, handover.path, handover.payload);
  }
  const { to } = settle(workflow, { agent: choice.agent, outcome, labels: issue.labels });
  const comment = commentFor(workflow, turn);
  return { ...plain, outcome, ...(to !== undefined && { to }), ...(comment !== undefined && { comment }), ...facts };
}

function handoverProblem(problem: { missing: string } | { outside: string }): Statement {
  return "missing" in problem
    ? message("handover_value_missing", { expression: problem.missing })
    : message("handover_outside", { path: problem.outside });
}

/** What the tracker is to hear. Undefined: nothing follows from it by itself. */
function settlingOf(
  { workflow, tell }: TurnParts,
  { issue, choice }: Chosen,
  ended: EndedTurnRecord,
): Settling | undefined {
  const { task_id, outcome, status, landing, comment, was_done } = ended;
  if (workflow && choice.agent !== undefined) {
    const { to, labels, closes } = settle(workflow, { agent: choice.agent, outcome, labels: issue.labels });
    return to === undefined ? undefined : { issue, task_id, labels, comment, closes };
  }
  if (status !== "completed") return undefined;
  const words = tell(message("issue_done_comment", { id: task_id, landing: was_done ? "none" : (landing ?? "") }));
  const closes = was_done || landing === "landed" || landing === "kept";
  return { issue, task_id, labels: { add: [], remove: [] }, comment: words, closes };
}

async function tellTracker(
  parts: TurnParts,
  settling: Settling,
  listener: TurnListener,
  signal: AbortSignal,
): Promise<void> {
  const { tracker, clock, book } = parts;
  const { number } = settling.issue;
  const log = {
    get state() {
      return book.item(number);
    },
    enter: (record: Parameters<Parameters<typeof applyEffects>[2]["enter"]>[0]) =>
      book.enter({ ...record, issue: number }),
  };
  try {
    for await (const event of applyEffects(settlingEffects(tracker, settling, signal), { clock, signal }, log))
      if (event.type === "effect") listener.tell({ type: "effect", issue: number, effect: event });
  } catch (error) {
    if (!signal.aborted) await compensate(parts, settling, { problem: problemOf(error), signal });
    throw error;
  }
}

/** Labels that were set go back to what they were, and are set again when the turn is taken up again. */
async function compensate(
  { tracker, book }: TurnParts,
  settling: Settling,
  { problem, signal }: { problem: Statement; signal: AbortSignal },
): Promise<void> {
  const { number } = settling.issue;
  const key = effectKey(settling, "labels");
  if (book.item(number).effects[key] !== "done") return;
  await takeLabelsBack(tracker, settling, signal).catch(() => {}); // the first failure is the one that is told
  const { labels } = settling;
  const what = message("issue_label_effect", { issue: number, ...labels });
  await book.enter({ type: "effect", issue: number, key, what, stage: "failed", problem });
}

function notDone({ status, landing, task_id }: EndedTurnRecord): Statement {
  return message("issue_not_done", { status, id: task_id, landing: landing ?? "" });
}
