import type { Place } from "../../connection/ports/workspace.ts";
import { isTrackerQuestion } from "../../judgment/shell/boundary-commands.ts";
import {
  type Check,
  type CommandCriterion,
  type Criterion,
  criterionText,
  isCheck,
  isHidden,
  numbered,
} from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import { ended } from "../../model/event-stream.ts";
import type { RunEvent } from "../../model/events.ts";
import { NOTHING_SPENT } from "../../model/usage.ts";
import { haltIfAborted } from "../halt.ts";
import { tailOf } from "../prompt/bounds.ts";
import { HiddenRoom } from "../proof/hidden-room.ts";
import { checkLimit, type RunContext } from "../run-context.ts";
import { outcomeMessage } from "./command-outcome.ts";
import { untilSure } from "./flaky.ts";
import { compareFiles } from "./unchanged.ts";

const EVIDENCE_TOKENS = 1500;

/** How checks are run when a claim is proved. */
export interface CheckOptions {
  /** A clean checkout to run in. */
  place?: Place | undefined;
  /** The last check first: one that rests on what another leaves behind fails. */
  isReversed?: boolean;
  /** The names of checks that have failed on the same files. */
  suspects?: readonly string[];
  /** The numbers of the checks to run, where not all are. */
  only?: readonly number[] | undefined;
}

/**
 * The checks of one iteration. They may start while the summarizer still works; the judgment waits for them. The loop creates and
 * closes them.
 */
export class CheckRun {
  readonly #context: RunContext;
  readonly #iteration: number;
  readonly #options: CheckOptions;
  readonly #stopper = new AbortController();
  #hasReleased: Promise<void> | undefined;
  #evaluations: Promise<Evaluation>[] | undefined;
  /** Checks without a check-end event. */
  #unreported: Promise<Evaluation>[] = [];
  #isCharged = false;

  constructor(context: RunContext, iteration: number, options: CheckOptions = {}) {
    this.#context = context;
    this.#iteration = iteration;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#unreported.length > 0;
  }

  /**
   * Starts the checks, once. They run one after the other, because they may share ports, files or a database. Hidden checks come last:
   * what the work has seen of them is not there for a check whose output is told.
   */
  start(criteria: readonly Criterion[]): void {
    if (this.#evaluations) return;
    const context = { ...this.#context, signal: AbortSignal.any([this.#context.signal, this.#stopper.signal]) };
    const room = new HiddenRoom(context, this.#iteration);
    const { isReversed, only } = this.#options;
    const all = numbered(criteria);
    const chosen = (isReversed ? all.reverse() : all).flatMap(({ id, criterion }) =>
      isCheck(criterion) && only?.includes(id) !== false ? [{ id, criterion }] : [],
    );
    const [shown, hidden] = [false, true].map((one) => chosen.filter(({ criterion }) => isHidden(criterion) === one));
    let previous: Promise<unknown> = Promise.resolve();
    const started = new Map<number, Promise<Evaluation>>();
    for (const check of [...(shown ?? []), ...(hidden ?? [])]) {
      const evaluation = previous.then(() => {
        haltIfAborted(context.signal);
        return runCheck(context, check, { ...this.#options, room });
      });
      evaluation.catch(() => {}); // thrown where it is awaited
      previous = evaluation;
      started.set(check.id, evaluation);
    }
    const release = () => room.release();
    this.#hasReleased = previous.then(release, release);
    this.#hasReleased.catch(() => {}); // thrown where it is awaited
    this.#unreported = [...started.values()];
    this.#evaluations = chosen.flatMap(({ id }) => started.get(id) ?? []);
  }

  /** Runs `work` beside the checks and reports checks that end. A reader who stops ends both. */
  async *beside<R>(work: (context: RunContext) => AsyncGenerator<RunEvent, R>): AsyncGenerator<RunEvent, R> {
    const leaving = new AbortController();
    const { signal } = this.#context;
    const events = work({ ...this.#context, signal: AbortSignal.any([signal, leaving.signal]) });
    try {
      let next = events.next();
      for (;;) {
        const evaluation = await endedFirst(this.#unreported[0], next);
        if (evaluation && !signal.aborted) {
          this.#unreported.shift();
          yield { type: "check-end", iteration: this.#iteration, evaluation };
          continue;
        }
        const step = await next;
        if (step.done) return step.value;
        yield step.value;
        next = events.next();
      }
    } finally {
      leaving.abort(); // its next event might take minutes
      await ended(events);
    }
  }

  /** Waits for the checks. Yields check-end for those not yet reported. */
  async *finish(): AsyncGenerator<RunEvent, Evaluation[]> {
    const iteration = this.#iteration;
    if (this.isRunning) yield { type: "phase-start", phase: "check", iteration };
    for (const pending of this.#unreported.splice(0)) {
      const evaluation = await pending;
      const total = await this.#context.meter.charge("checks", iteration, NOTHING_SPENT);
      haltIfAborted(this.#context.signal);
      yield { type: "spent", total };
      yield { type: "check-end", iteration, evaluation };
    }
    this.#isCharged = true;
    await this.#hasReleased;
    return await Promise.all(this.#evaluations ?? []);
  }

  /** Ends running checks, starts no more, and charges their time. A failed charge also makes the run's ending fail. */
  async close(): Promise<void> {
    if (!this.#evaluations || this.#isCharged) return;
    this.#stopper.abort();
    await Promise.allSettled([...this.#evaluations, this.#hasReleased]);
    await this.#context.meter.charge("checks", this.#iteration, NOTHING_SPENT).catch(() => {});
  }
}

/** The check's evaluation, if it ends before the other promise settles. */
async function endedFirst(
  check: Promise<Evaluation> | undefined,
  other: Promise<unknown>,
): Promise<Evaluation | undefined> {
  const nothing = () => undefined;
  return check && Promise.race([check.catch(nothing), other.then(nothing, nothing)]);
}

interface NumberedCheck<C extends Check = Check> {
  id: number;
  criterion: C;
}

async function runCheck(
  context: RunContext,
  { id, criterion }: NumberedCheck,
  { place, suspects = [], room }: CheckOptions & { room: HiddenRoom },
): Promise<Evaluation> {
  if (criterion.type !== "command") return compareFiles(context, id, criterion);
  const isSuspect = suspects.includes(criterionText(criterion));
  const runIn = (where: Place | undefined) =>
    untilSure(() => runCommand(context, { id, criterion }, where), { isSuspect, repeat: criterion.repeat });
  if (place || !isHidden(criterion) || !room.isMeant(criterion)) return runIn(place);
  return room.evaluate({ id, criterion }, runIn);
}

async function runCommand(
  { ports, configuration, signal }: RunContext,
  { id, criterion }: NumberedCheck<CommandCriterion>,
  place: Place | undefined,
): Promise<Evaluation> {
  const limit = checkLimit(configuration, criterion.timeout);
  const outcome = await ports.commands.run(
    {
      command: criterion.command,
      timeout_seconds: limit.seconds,
      pipefail: criterion.pipefail ?? false,
      ...(isTrackerQuestion(criterion.command) && { runs_as: "user" as const }),
      ...(place && { place }),
    },
    signal,
  );
  // Test failures sit at the end of the output.
  const { text: evidence, is_cut } = tailOf(outcome.output_tail.trim(), EVIDENCE_TOKENS);
  return {
    id,
    criterion: criterionText(criterion),
    is_met: outcome.exit_code === 0 && !outcome.timed_out,
    evidence,
    outcome: outcomeMessage(outcome, limit),
    ...(is_cut && { is_cut }),
    confidence: 1,
    source: "command",
  };
}
