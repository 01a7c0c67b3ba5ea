import type { Place } from "../../connection/ports/workspace.ts";
import type { RunEvent } from "../../model/events.ts";
import type { Evaluation, Judgment } from "../../model/records.ts";
import { CheckRun } from "../goal/checks.ts";
import { goalOf } from "../goal/goal.ts";
import type { RunContext } from "../run-context.ts";
import { commandsIn } from "./before.ts";

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
  /** Runs the checks again, the last one first, in a clean checkout where there is one. */
  check(iteration: number, place: Place | undefined): AsyncGenerator<RunEvent, CheckedAgain[]>;
  /** Asks a fresh judge about the sentences, once everything else holds. Absent: there are none. */
  judge?(iteration: number, checks: readonly Evaluation[]): AsyncGenerator<RunEvent, Judgment>;
  /** Whether a check passed before the first work; `null`: not known. */
  before(evaluation: Evaluation): boolean | null;
}

/** The claim that all criteria of a task are met. */
export function goalClaim(context: RunContext): Claim {
  const { store } = context.ports;
  const { criteria } = goalOf(store.task);
  return {
    commands: commandsIn(criteria),
    rests_on_tests: true,
    needs_room: true,
    before: ({ id }) => store.task.before?.[String(id)] ?? null,
    check: async function* (iteration, place) {
      const checks = new CheckRun(context, iteration, { place, isReversed: true });
      try {
        checks.start(criteria);
        const evaluations = yield* checks.finish();
        return evaluations.toSorted((left, right) => left.id - right.id).map((evaluation) => ({ evaluation }));
      } finally {
        await checks.close();
      }
    },
  };
}
