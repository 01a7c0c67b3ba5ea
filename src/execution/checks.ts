import type { CommandOutcome } from "../connection/ports/commands.ts";
import {
  type Check,
  type CommandCriterion,
  type Criterion,
  criterionText,
  isCheck,
  numbered,
} from "../model/criterion.ts";
import { ended } from "../model/event-stream.ts";
import type { RunEvent } from "../model/events.ts";
import type { Phrases } from "../model/phrases.ts";
import type { Evaluation } from "../model/records.ts";
import type { Say } from "../model/statement.ts";
import { phrased, type Told, told } from "../model/telling.ts";
import { keepTail } from "./bounds.ts";
import { haltIfAborted } from "./halt.ts";
import type { RunContext } from "./run-context.ts";
import { compareFiles } from "./unchanged.ts";

const EVIDENCE_TOKENS = 1500;

/** The checks of one iteration, running. */
export interface Checks {
  readonly iteration: number;
  readonly evaluations: readonly Promise<Evaluation>[];
  /** Those of which nobody was told how they came out. */
  readonly untold: Promise<Evaluation>[];
  /** Ends what still runs, and starts no more. */
  stop(): Promise<void>;
}

/** Starts every check, one after the other: they may share ports, files or a database. */
export function beginChecks(context: RunContext, criteria: readonly Criterion[], iteration: number): Checks {
  const stopper = new AbortController();
  const signal = AbortSignal.any([context.signal, stopper.signal]);
  let previous: Promise<unknown> = Promise.resolve();
  const evaluations = numbered(criteria).flatMap(({ id, criterion }) => {
    if (!isCheck(criterion)) return [];
    const evaluation = previous.then(() => {
      haltIfAborted(signal);
      return runCheck({ ...context, signal }, id, criterion);
    });
    evaluation.catch(() => {}); // met by whoever waits for it, if anybody does
    previous = evaluation;
    return [evaluation];
  });
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  previous.then(over, over);
  const stop = async () => {
    if (!isOver) stopper.abort();
    await Promise.allSettled(evaluations);
  };
  return { iteration, evaluations, untold: [...evaluations], stop };
}

/**
 * Has something else done while the checks run, and tells of each that ends meanwhile. One that could not be run is met by whoever
 * follows the checks. A reader who goes away ends what is being done, too: it might take minutes to come to its next event.
 */
export async function* besideChecks<R>(
  context: RunContext,
  { iteration, untold }: Checks,
  done: (context: RunContext) => AsyncGenerator<RunEvent, R>,
): AsyncGenerator<RunEvent, R> {
  const leaving = new AbortController();
  const events = done({ ...context, signal: AbortSignal.any([context.signal, leaving.signal]) });
  try {
    let next = events.next();
    for (;;) {
      const evaluation = await endedBefore(next, untold[0]);
      if (evaluation && !context.signal.aborted) {
        untold.shift();
        yield { type: "check-end", iteration, evaluation };
        continue;
      }
      const step = await next;
      if (step.done) return step.value;
      yield step.value;
      next = events.next();
    }
  } finally {
    leaving.abort();
    await ended(events);
  }
}

/** What the check has come to, if it is over first. */
async function endedBefore(
  other: Promise<unknown>,
  check: Promise<Evaluation> | undefined,
): Promise<Evaluation | undefined> {
  const nothing = () => undefined;
  return check && Promise.race([check.catch(nothing), other.then(nothing, nothing)]);
}

/** Waits for the checks, and tells how each of them came out of which that was not told yet. */
export async function* followChecks(
  { meter, signal }: RunContext,
  checks: Checks,
): AsyncGenerator<RunEvent, Evaluation[]> {
  const { iteration, evaluations, untold } = checks;
  try {
    if (untold.length > 0) yield { type: "phase-start", phase: "check", iteration };
    for (const pending of untold.splice(0)) {
      const evaluation = await pending;
      const total = await meter.charge("checks", iteration, { tokens: 0, cost_usd: 0 });
      haltIfAborted(signal);
      yield { type: "spent", total };
      yield { type: "check-end", iteration, evaluation };
    }
    return await Promise.all(evaluations);
  } finally {
    await checks.stop();
  }
}

/** Ends checks that nobody waits for any more. Where their time cannot be written down, the ending cannot either, and says so. */
export async function abandonChecks({ meter }: RunContext, checks: Checks): Promise<void> {
  await checks.stop();
  await meter.charge("checks", checks.iteration, { tokens: 0, cost_usd: 0 }).catch(() => {});
}

function runCheck(context: RunContext, id: number, criterion: Check): Promise<Evaluation> {
  return criterion.type === "command" ? runCommand(context, id, criterion) : compareFiles(context, id, criterion);
}

async function runCommand(
  { ports, configuration, phrases, signal }: RunContext,
  id: number,
  criterion: CommandCriterion,
): Promise<Evaluation> {
  const limit =
    criterion.timeout === undefined
      ? { seconds: configuration.command_timeout, setting: "--check-timeout" }
      : { seconds: criterion.timeout, setting: "timeout" };
  const outcome = await ports.commands.run(
    { command: criterion.command, timeout_seconds: limit.seconds, pipefail: criterion.pipefail ?? false },
    signal,
  );
  const { text: evidence, ...ours } = evidenceOf(outcome, limit, phrases);
  return {
    id,
    criterion: criterionText(criterion),
    is_met: outcome.exit_code === 0 && !outcome.timed_out,
    evidence,
    confidence: 1,
    source: "command",
    ...ours,
  };
}

interface Limit {
  seconds: number;
  /** Where it comes from. */
  setting: string;
}

/** What happened, then the end of the output: test failures sit there. */
function evidenceOf(outcome: CommandOutcome, limit: Limit, { cut, language }: Phrases): Told {
  const tail = keepTail(outcome.output_tail.trim(), EVIDENCE_TOKENS, `${cut}\n`);
  const head = phrased((phrases, say) => {
    const happened = whatHappened(outcome, limit, { phrases, say });
    return tail === "" ? happened : `${happened}; ${phrases.outputOf("")}`;
  });
  return told(language, [head, tail], "");
}

function whatHappened(
  outcome: CommandOutcome,
  { seconds, setting }: Limit,
  { phrases, say }: { phrases: Phrases; say: Say },
): string {
  if (outcome.start_error !== null) return phrases.notStarted(say(outcome.start_error));
  if (outcome.timed_out) return phrases.timedOut(seconds, setting);
  if (outcome.exit_code !== null) return phrases.exited(outcome.exit_code, outcome.seconds.toFixed(1));
  return phrases.killed(outcome.signal ?? "?");
}
