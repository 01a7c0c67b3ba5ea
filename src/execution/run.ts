import { nextMove, statusOf } from "../judgment/moves.ts";
import { E8Error, type ErrorCode } from "../model/errors.ts";
import type { RunEvent } from "../model/events.ts";
import { CONTEXT_TOKENS } from "../model/limits.ts";
import { notice } from "../model/notices.ts";
import type { ExecutionSummary, HistoryRecord, LoopResult, StopReason } from "../model/records.ts";
import type { KnowledgeDraft } from "../model/roles.ts";
import type { RunState } from "../model/state.ts";
import { clearWorktree, setUpWorktree } from "./branch-work.ts";
import { changesIn, keepIteration, keepStart, sameness } from "./changes.ts";
import type { Condensed, Course, Work } from "./course.ts";
import { applyEffects, type EffectLog } from "./effects.ts";
import { CheckRun } from "./goal/checks.ts";
import { suspectsFor } from "./goal/flaky.ts";
import { type Ending, Halt, HandedBack } from "./halt.ts";
import { landsOn, landWork } from "./landing.ts";
import { takeNotes, tellOfUnreadNotes } from "./notes.ts";
import { rememberLeft } from "./proof/left-behind.ts";
import { resultOf } from "./result.ts";
import type { RunContext } from "./run-context.ts";
import { fold } from "./state.ts";
import { escalate, takeTurn, turnsOf, workInTurns } from "./turns.ts";

/** Runs to the end. Never throws for a failed run: every way out is one final_result record. Only what is handed back has none. */
export async function* run(
  course: Course,
  context: RunContext,
  folded: RunState,
): AsyncGenerator<RunEvent, LoopResult> {
  const book = new Book(context, { ...folded, accepted: [] }); // no record tells which files changed between two runs
  context.turns.log = book;
  let ending: Ending;
  try {
    ending = yield* loop(course, context, book);
  } catch (error) {
    const given = handedBack(error, context);
    if (given) throw given;
    ending = endingOf(error, context.signal);
    if (isCompletion(ending)) ending = yield* leave(ending, context, book.state);
  }
  await context.ports.store.verify().catch(() => {}); // the ending is recorded even when other records are broken
  yield* storeNotices(context);
  yield* tellOfUnreadNotes(context, book.state, statusOf[ending.stop_reason] === "completed");
  const result = await close(ending, context, book);
  yield { type: "run-end", result, ...(ending.error !== undefined && { thrown: thrownAs(ending.error) }) };
  return result;
}

async function* loop(course: Course, context: RunContext, book: Book): AsyncGenerator<RunEvent, Ending> {
  await setUpWorktree(context, book.state);
  yield* course.prepare(book.state);
  for (;;) {
    await context.ports.clock.going(context.signal);
    if (context.hand_back?.aborted) throw new HandedBack();
    const spent = { ...context.meter.total(), now: context.ports.clock.now() };
    const proves = context.configuration.proof !== "none" && course.isProvable(book.state);
    const lands = landsOn(context);
    const turns = turnsOf(context, book.state);
    const move = nextMove(book.state, spent, { ...context.configuration, proves, lands, ...turns });
    if (move.do === "end") return yield* end(course, context, { book, stop_reason: move.stop_reason });
    if (move.do === "work") yield* iterate(course, context, { book, iteration: move.iteration });
    else if (move.do === "conclude") yield* judgeAgain(course, context, book);
    else if (move.do === "prove") yield* prove(course, context, book);
    else if (move.do === "escalate") yield* escalate(context, book);
    else yield* land(context, book);
  }
}

/** Completed work ends with its effects, such as closing an issue. */
async function* end(
  course: Course,
  context: RunContext,
  { book, stop_reason }: { book: Book; stop_reason: StopReason },
): AsyncGenerator<RunEvent, Ending> {
  const isCompleted = isCompletion({ stop_reason });
  for (const agent of Object.values(context.ports.agents)) agent.close?.().catch(() => {}); // nothing more is asked
  if (isCompleted)
    yield* applyEffects(await course.effects(book.state), { ...context, clock: context.ports.clock }, book);
  return yield* leave({ stop_reason }, context, book.state);
}

/** What has changed is found out before the worktree of completed work goes. */
async function* leave(ending: Ending, context: RunContext, state: RunState): AsyncGenerator<RunEvent, Ending> {
  const changes = await changesIn(context, state);
  const is_cleared = isCompletion(ending) && (yield* clearWorktree(context, state));
  return { ...ending, changes, is_cleared };
}

function isCompletion({ stop_reason }: Ending): boolean {
  return statusOf[stop_reason] === "completed";
}

async function* iterate(
  course: Course,
  context: RunContext,
  { book, iteration }: { book: Book; iteration: number },
): AsyncGenerator<RunEvent, void> {
  yield { type: "iteration-start", iteration, max_iterations: context.configuration.max_iterations };
  const isForAgent = course.isForAgent(iteration, book.state);
  if (isForAgent) yield* takeNotes(context, book, iteration);
  if (isForAgent) yield* takeTurn(context, book, iteration);
  const assignment = yield* course.next(iteration, book.state);
  yield { type: "phase-start", phase: "execute", iteration };
  const [changedSince] = await Promise.all([context.ports.workspace.watch(), keepStart(context, book.state)]);
  const { reply, worker } = isForAgent
    ? yield* workInTurns(course, context, { book, assignment })
    : { reply: yield* course.work(assignment), worker: {} };
  yield* verifyRecords(context);
  const [files_modified, kept] = await Promise.all([
    changedSince(reply.files_modified),
    keepIteration(context, iteration),
  ]);
  const facts = { ...kept, ...worker, ...(await sameness(context, book.state, { ...kept, files_modified })) };
  const work = { iteration, assignment, reply: { ...reply, files_modified }, facts };
  const checks = new CheckRun(context, iteration, { suspects: await suspectsFor(context, book.state, kept.snapshot) });
  try {
    yield* summarize(course, context, { book, work, checks });
    yield* conclude(course, context, { book, checks });
  } finally {
    await checks.close();
  }
}

/** Records the work even when condensing it fails; throws that failure afterwards. */
async function* summarize(
  course: Course,
  context: RunContext,
  { book, work, checks }: { book: Book; work: Work; checks: CheckRun },
): AsyncGenerator<RunEvent, void> {
  let condensed: Condensed;
  let trouble: { error: unknown } | undefined;
  try {
    condensed = yield* course.summarize(work, checks);
  } catch (error) {
    condensed = await course.outline(work);
    trouble = { error };
  }
  const [learned] = await Promise.allSettled([learn(context, condensed.knowledge)]);
  const summary = { ...condensed.summary, ...work.facts };
  await book.enter(summary);
  yield { type: "summary", summary };
  yield* warnOfLargeContext(condensed.summary);
  if (trouble) throw trouble.error;
  if (learned.status === "rejected") throw learned.reason;
}

/** SC-003. Cached tokens are counted once, so what a worker has used is about what its context has grown to. */
function* warnOfLargeContext({ iteration, metadata: { tokens_used: tokens } }: ExecutionSummary): Generator<RunEvent> {
  if (tokens <= CONTEXT_TOKENS) return;
  yield { type: "notice", notice: notice("context_large", { iteration, tokens, limit: CONTEXT_TOKENS }) };
}

/** Continues a run that was killed between work and judgment. */
async function* judgeAgain(course: Course, context: RunContext, book: Book): AsyncGenerator<RunEvent, void> {
  const { state } = book;
  const suspects = await suspectsFor(context, state, state.summary?.snapshot);
  const checks = new CheckRun(context, state.iterations, { suspects });
  try {
    yield* conclude(course, context, { book, checks });
  } finally {
    await checks.close();
  }
}

async function* conclude(
  course: Course,
  context: RunContext,
  { book, checks }: { book: Book; checks: CheckRun },
): AsyncGenerator<RunEvent, void> {
  if (!book.state.summary) throw new Error("there is nothing to conclude");
  const { judgment, trouble } = yield* course.conclude(book.state.summary, book.state, checks);
  yield* verifyRecords(context); // a check runs what the worker wrote
  await book.enter(judgment);
  yield { type: "judgment", judgment };
  if (trouble) throw trouble.error;
}

/** A claim that all is done is proved before it ends the run. */
async function* prove(course: Course, context: RunContext, book: Book): AsyncGenerator<RunEvent, void> {
  context.ports.agents.executor.rest?.("executor"); // the machine is for the checks now
  const { proof, trouble } = yield* course.prove(book.state);
  yield* verifyRecords(context);
  await book.enter(proof);
  yield { type: "proof", proof };
  if (trouble) throw trouble.error;
  const silent = proof.is_undecided ? proof.review?.reviews.find((one) => one.problem !== undefined) : undefined;
  if (silent) throw new E8Error("review_unusable", { model: silent.model, problem: silent.problem ?? "" });
}

async function* land(context: RunContext, book: Book): AsyncGenerator<RunEvent, void> {
  const landing = yield* landWork(context, book.state);
  await book.enter(landing);
  yield { type: "landing", landing };
}

/** Finds and undoes a worker's changes to the records: weakened criteria must not reach the next run. */
async function* verifyRecords(context: RunContext): AsyncGenerator<RunEvent, void> {
  await context.ports.store.verify();
  yield* storeNotices(context);
}

function* storeNotices({ ports }: RunContext): Generator<RunEvent> {
  for (const one of ports.store.takeNotices()) yield { type: "notice", notice: one };
}

const SOURCE_CHARACTERS = 500;

async function learn({ ports, configuration }: RunContext, drafts: readonly KnowledgeDraft[]): Promise<void> {
  const source_task = configuration.task.slice(0, SOURCE_CHARACTERS);
  const created_at = ports.clock.now().toISOString();
  await ports.store.knowledge.add(drafts.map((draft) => ({ ...draft, source_task, applied_count: 0, created_at })));
}

/** Writes records and keeps the state that they fold to. */
class Book implements EffectLog {
  readonly #context: RunContext;
  state: RunState;

  constructor(context: RunContext, state: RunState) {
    this.#context = context;
    this.state = state;
  }

  async enter(record: HistoryRecord): Promise<void> {
    const { history } = this.#context.ports.store;
    await history.append(record);
    this.state = fold(this.state, record);
    if (record.type === "summary") await history.mark?.(() => this.state);
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

/** A store or a remote that is away, a machine's full disk, and limits of a fleet that are reached are no ending of a task. */
const PASSING: readonly ErrorCode[] = [
  "store_unreachable",
  "remote_unreachable",
  "disk_full",
  "fleet_budget_spent",
  "fleet_limit_reached",
];

/** A worker of a fleet leaves to others what it cannot record. */
function handedBack(error: unknown, { signal, hand_back }: RunContext): HandedBack | undefined {
  if (error instanceof HandedBack) return error;
  if (signal.reason instanceof HandedBack) return signal.reason;
  const cause = [signal.reason, error].find((one) => one instanceof E8Error && PASSING.includes(one.code));
  return hand_back && cause ? new HandedBack({ cause }) : undefined;
}

function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (error instanceof Halt) return error.ending;
  if (!signal.aborted) return { stop_reason: "error", error };
  return signal.reason instanceof E8Error
    ? { stop_reason: "error", error: signal.reason }
    : { stop_reason: "cancelled" };
}

/** Records the ending. When the disk refuses it, the ending is only returned, as an error. */
async function close(ending: Ending, context: RunContext, book: Book): Promise<LoopResult> {
  const flushed = await flushKnowledge(ending, context);
  const changes = ending.changes ?? (await changesIn(context, book.state));
  const result = resultOf(flushed, context, { state: book.state, changes });
  await rememberLeft(context, result.status).catch(() => {}); // a run that cannot look has an ending all the same
  try {
    await book.enter(result);
    return result;
  } catch (error) {
    return resultOf({ stop_reason: "error", error }, context, { state: book.state, changes });
  }
}

/** Knowledge that cannot be written makes the run fail, but its ending is still recorded. */
async function flushKnowledge(ending: Ending, { ports }: RunContext): Promise<Ending> {
  try {
    await ports.store.knowledge.flush();
    return ending;
  } catch (error) {
    return ending.error === undefined ? { stop_reason: "error", error } : ending;
  }
}
