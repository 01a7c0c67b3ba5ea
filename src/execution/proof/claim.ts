import type { Place } from "../../connection/ports/workspace.ts";
import { standsFromBefore } from "../../judgment/new-evidence.ts";
import { showsPassedTests } from "../../judgment/proof/shown-tests.ts";
import { reportsFailures, runsFewerTests, testsReported } from "../../judgment/proof/test-count.ts";
import { isCheck } from "../../model/criterion.ts";
import { type Evaluation, isOfCheck } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import { message } from "../../model/message.ts";
import type { ExecutionSummary, Judgment } from "../../model/records.ts";
import type { RunState } from "../../model/state.ts";
import { CheckRun } from "../goal/checks.ts";
import { goalOf } from "../goal/goal.ts";
import { judgeAfresh } from "../goal/judge.ts";
import type { RunContext } from "../run-context.ts";
import { commandsIn, scriptsOfChecks } from "./check-scripts.ts";
import { type Demand, demandOf } from "./demand.ts";

/** A check that ran again. */
export interface CheckedAgain {
  evaluation: Evaluation;
  /** It asks about the workspace or the tracker, so a clean checkout cannot answer it. */
  is_in_place?: boolean;
}

/** What a proof has to show: the criteria of a task, or the conditions of a flow. */
export interface Claim {
  /** The commands of the checks: what they rest on is protected. */
  commands: readonly string[];
  /** Whether tests and their configuration are protected, or only what the user names. */
  rests_on_tests: boolean;
  /** Whether any check can run in a clean checkout. */
  needs_room: boolean;
  /** Runs the checks again, or only some by their numbers, the last one first, in a clean checkout where there is one. */
  check(
    iteration: number,
    place: Place | undefined,
    only?: readonly number[],
  ): AsyncGenerator<RunEvent, CheckedAgain[]>;
  /** Asks a fresh judge about the sentences, once everything else holds. Absent: there are none. */
  judge?(iteration: number, checks: readonly Evaluation[]): AsyncGenerator<RunEvent, Judgment>;
  /** What reviewers hold the work against. */
  demand: Demand;
  /** Whether a check passed before the first work; `null`: not known. */
  before(evaluation: Evaluation): boolean | null;
}

/** The claim that all criteria of a task are met. */
export function goalClaim(context: RunContext, state: RunState): Claim {
  const { store } = context.ports;
  const goal = goalOf(store.task);
  const { criteria } = goal;
  const suspects = (state.judgment?.evaluations ?? []).filter(({ is_flaky }) => is_flaky);
  return {
    demand: demandOf(goal),
    commands: commandsIn(criteria),
    rests_on_tests: true,
    needs_room: true,
    ...(!criteria.every(isCheck) && {
      judge: async function* (_, checks) {
        return doubtFrom(state) ?? (yield* judgeAfresh(context, goal, { ...(await workOf(context, state)), checks }));
      },
    }),
    before: ({ id }) => store.task.before?.[String(id)] ?? null,
    check: async function* (iteration, place, only) {
      const checks = new CheckRun(context, iteration, {
        place,
        isReversed: true,
        only,
        suspects: suspects.map(({ criterion }) => criterion),
      });
      try {
        checks.start(criteria);
        const evaluations = yield* checks.finish();
        const sorted = evaluations.toSorted((left, right) => left.id - right.id);
        const counted: CheckedAgain[] = [];
        for (const evaluation of sorted) counted.push({ evaluation: await withTests(context, evaluation) });
        return counted;
      } finally {
        await checks.close();
      }
    },
  };
}

/** The second judge's "not met" stands, too, while there is nothing new to judge. */
function doubtFrom({ judgment, proof }: RunState): Judgment | undefined {
  const words = (proof?.evaluations ?? []).filter((one) => !isOfCheck(one));
  if (!judgment || !standsFromBefore(judgment) || !proof || words.every(({ is_met }) => is_met)) return undefined;
  const reasons = [message("not_judged_again", { iteration: proof.iteration })];
  return { is_complete: false, evaluations: words, reasons, overall_reason: "", suggested_next_action: null };
}

/** The record of the last iteration, and those of the iterations whose accepted evidence still stands. */
async function workOf(
  { ports }: RunContext,
  { summary, accepted }: RunState,
): Promise<{ summary: ExecutionSummary; earlier: ExecutionSummary[] }> {
  if (!summary) throw new Error("there is nothing to prove");
  const wanted = new Set(accepted.map(({ iteration }) => iteration).filter((one) => one !== summary.iteration));
  const earlier: ExecutionSummary[] = [];
  if (wanted.size > 0)
    for await (const record of ports.store.history.records())
      if (record.type === "summary" && wanted.has(record.iteration)) earlier.push(record);
  return { summary, earlier };
}

/**
 * A check that has failed before the work, exits with 0 now and says itself that tests have failed is not met. Neither is one that runs
 * fewer tests than before, where nobody can say that this is what was asked for.
 */
async function withTests(context: RunContext, evaluation: Evaluation): Promise<Evaluation> {
  const { configuration, has_reviewer, ports } = context;
  const { before: passed, tests_before } = ports.store.task;
  const id = String(evaluation.id);
  if (configuration.protect.includes("off") || !evaluation.is_met) return evaluation;
  if (passed?.[id] !== true && reportsFailures(evaluation.evidence))
    return { ...evaluation, is_met: false, outcome: message("failures_reported", {}) };
  const before = tests_before?.[id];
  const isAllowed = has_reviewer || configuration.may_change.length > 0;
  if (isAllowed || before === undefined) return evaluation;
  const shows_passed = passed?.[id] === true || (await showsPassed(context, evaluation));
  if (!runsFewerTests(evaluation, { before, shows_passed })) return evaluation;
  const outcome = message("fewer_tests", { before, now: testsReported(evaluation.evidence) ?? 0 });
  return { ...evaluation, is_met: false, outcome };
}

/** By its command and the scripts behind it, as they were at the start. */
async function showsPassed(context: RunContext, { id }: Evaluation): Promise<boolean> {
  const commands = commandsIn(goalOf(context.ports.store.task).criteria.slice(id - 1, id));
  return showsPassedTests(await scriptsOfChecks(context, commands));
}
