import { criterionText } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunState } from "../../model/state.ts";
import type { RunContext } from "../run-context.ts";

/** A flaky check counts as met only after so many passes in a row. */
export const FLAKY_PASSES = 3;

/** The checks that have failed on these very files: where they pass now, they are flaky. By their names. */
export async function suspectsFor(
  context: RunContext,
  { checked, iterations }: RunState,
  snapshot: string | undefined,
): Promise<string[]> {
  const { store, workspace } = context.ports;
  const { start } = store.task;
  if (snapshot === undefined) return [];
  if (checked) return (await workspace.isSame(checked.snapshot, snapshot)) ? [...checked.failed] : [];
  const isAtStart = iterations <= 1 && start !== undefined && (await workspace.isSame(start, snapshot));
  return isAtStart ? failedBefore(context) : [];
}

interface Doubt {
  /** It has failed on the same files. */
  isSuspect: boolean;
  /** How often it must pass where the user has said so. */
  repeat?: number | undefined;
}

/** Runs a check as often as it must pass, until it fails. */
export async function untilSure(run: () => Promise<Evaluation>, { isSuspect, repeat }: Doubt): Promise<Evaluation> {
  const needed = repeat ?? (isSuspect ? FLAKY_PASSES : 1);
  let passed = 0;
  for (;;) {
    const evaluation = await run();
    if (evaluation.is_met) passed += 1;
    if (evaluation.is_met && passed < needed) continue;
    const is_flaky = passed > 0 && (isSuspect || !evaluation.is_met);
    return { ...evaluation, ...(needed > 1 && { passes: { passed, needed } }), ...(is_flaky && { is_flaky }) };
  }
}

function failedBefore({ ports, configuration: { criteria } }: RunContext): string[] {
  const failed = Object.entries(ports.store.task.before ?? {}).filter(([, passed]) => !passed);
  return failed.map(([key]) => {
    const criterion = criteria[Number(key) - 1];
    return criterion ? criterionText(criterion) : key; // a flow's conditions have names
  });
}
