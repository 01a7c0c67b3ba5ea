import { nextMove, statusOf } from "../judgment/moves.ts";
import { asE8Error } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import type { HistoryRecord, LoopResult, StopReason } from "../model/records.ts";
import type { RunState } from "../model/state.ts";
import type { Course } from "./course.ts";
import { type Ending, Halt } from "./halt.ts";
import type { RunContext } from "./run-context.ts";
import { fold } from "./state.ts";

/** Runs to the end. Never throws for a failed run: every way out is one final_result record. */
export async function* run(
  course: Course,
  context: RunContext,
  folded: RunState,
): AsyncGenerator<RunEvent, LoopResult> {
  const book = new Book(context, folded);
  let ending: Ending;
  try {
    ending = yield* loop(course, context, book);
  } catch (error) {
    ending = endingOf(error, context.signal);
  } finally {
    await course.close?.();
  }
  // Whatever keeps task.json from being put back now, the ending has to be written down.
  if (await context.ports.files.restore().catch(() => false)) yield taskRestored(context);
  const result = await close(ending, context, book);
  yield { type: "run-end", result, ...(ending.error !== undefined && { thrown: thrownAs(ending.error) }) };
  return result;
}

async function* loop(course: Course, context: RunContext, book: Book): AsyncGenerator<RunEvent, Ending> {
  yield* course.prepare();
  for (;;) {
    const move = nextMove(book.state, context.meter.total(), context.configuration);
    if (move.do === "end") return yield* end(course, book.state, move.stop_reason);
    if (move.do === "work") yield* workOn(course, context, { book, iteration: move.iteration });
    else yield* conclude(course, context, book);
  }
}

/** What was judged complete may still have to be brought to its end: only then is it done. */
async function* end(course: Course, state: RunState, stop_reason: StopReason): AsyncGenerator<RunEvent, Ending> {
  if (stop_reason === "criteria_met") yield* course.finish(state);
  return { stop_reason };
}

async function* workOn(
  course: Course,
  context: RunContext,
  { book, iteration }: { book: Book; iteration: number },
): AsyncGenerator<RunEvent, void> {
  yield { type: "iteration-start", iteration, max_iterations: context.configuration.max_iterations };
  const assignment = yield* course.next(iteration, book.state);
  yield { type: "phase-start", phase: "execute", iteration };
  const changedSince = await context.ports.workspace.watch();
  const reply = yield* course.work(assignment);
  if (await context.ports.files.restore()) yield taskRestored(context);
  context.ports.files.confirmRecords();
  const files_modified = await changedSince(reply.files_modified);
  const { summary, trouble } = yield* course.summarize(iteration, {
    assignment,
    reply: { ...reply, files_modified },
  });
  await book.enter(summary);
  yield { type: "summary", summary };
  if (trouble !== undefined) throw trouble;
}

/** A worker that weakens the criteria on disk changes nothing in this run, and must change nothing in the next one either. */
function taskRestored({ ports: { files } }: RunContext): RunEvent {
  return { type: "notice", notice: notice("records_restored", { file: `${files.directory}/task.json` }) };
}

async function* conclude(course: Course, context: RunContext, book: Book): AsyncGenerator<RunEvent, void> {
  if (!book.state.summary) throw new Error("there is nothing to conclude");
  const judgment = yield* course.conclude(book.state.summary, book.state);
  context.ports.files.confirmRecords(); // a check runs what the worker wrote
  await book.enter(judgment);
  yield { type: "judgment", judgment };
}

/** Records, and the state that they fold to. */
class Book {
  readonly #context: RunContext;
  state: RunState;

  constructor(context: RunContext, state: RunState) {
    this.#context = context;
    this.state = state;
  }

  async enter(record: HistoryRecord): Promise<void> {
    const { history } = this.#context.ports;
    await history.append(record);
    this.state = fold(this.state, record);
    await history.copy(record);
  }
}

/** For debugging only: errors are data on the wire. */
function thrownAs(error: unknown): { message: string; stack?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, cause } = error;
  const stack = [error.stack ?? message, ...(cause === undefined ? [] : [`caused by: ${stackOf(cause)}`])].join("\n");
  return { message, stack };
}

function stackOf(cause: unknown): string {
  const { stack, message } = thrownAs(cause);
  return stack ?? message;
}

function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (error instanceof Halt) return error.ending;
  return signal.aborted ? { stop_reason: "cancelled" } : { stop_reason: "error", error };
}

/** Writes the one ending down. A disk that takes no more records cannot take this one either: then it is only said. */
async function close(ending: Ending, context: RunContext, book: Book): Promise<LoopResult> {
  const flushed = await flushKnowledge(ending, context);
  const result = resultOf(flushed, context, book.state);
  try {
    await book.enter(result);
    return result;
  } catch (error) {
    return resultOf({ stop_reason: "error", error }, context, book.state);
  }
}

/** Knowledge that cannot be written is an error of the run, but never keeps its ending from the history. */
async function flushKnowledge(ending: Ending, { ports }: RunContext): Promise<Ending> {
  try {
    await ports.knowledge.flush();
    return ending;
  } catch (error) {
    return ending.error === undefined ? { stop_reason: "error", error } : ending;
  }
}

function resultOf(ending: Ending, { ports, meter }: RunContext, state: RunState): LoopResult {
  const error = ending.error === undefined ? undefined : asE8Error(ending.error);
  return {
    type: "final_result",
    task_id: ports.files.task.task_id,
    status: statusOf[ending.stop_reason],
    stop_reason: ending.stop_reason,
    iterations_used: state.iterations,
    final_judgment: state.judgment && withoutRecordKeys(state.judgment),
    artifacts: state.artifacts,
    clarification_questions: ending.clarification_questions ?? [],
    error_code: error?.code ?? null,
    error_details: error ? { ...error.details } : null,
    history_path: ports.files.history_path,
    usage: meter.total(),
    timestamp: ports.clock.now().toISOString(),
  };
}

function withoutRecordKeys({
  is_complete,
  evaluations,
  overall_reason,
  suggested_next_action,
  wordings,
}: NonNullable<RunState["judgment"]>) {
  return { is_complete, evaluations, overall_reason, suggested_next_action, ...(wordings && { wordings }) };
}
