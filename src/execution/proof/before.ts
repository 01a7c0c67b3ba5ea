import { testsReported } from "../../judgment/proof/test-count.ts";
import { type Criterion, deedOf, isCheck, numbered } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import type { RunState } from "../../model/state.ts";
import type { Task } from "../../model/task.ts";
import { startOf } from "../changes.ts";
import { CheckRun } from "../goal/checks.ts";
import { Halt } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { roomOf } from "./check-again.ts";
import { commandsIn, scriptsOfChecks } from "./check-scripts.ts";
import { withoutLeft } from "./left-behind.ts";
import { compareOnThisMachine } from "./machine-tools.ts";

/** Runs the checks before the first work: a check that was red then and is green later is evidence. */
export async function* checkBefore(context: RunContext, state: RunState): AsyncGenerator<RunEvent, void> {
  const { configuration, ports } = context;
  const { criteria, proof } = configuration;
  if (proof === "none") return;
  await compareOnThisMachine(context, commandsIn(criteria));
  if (ports.store.task.before) return yield* checkChanged(context, state);
  if (state.iterations > 0) return;
  const isChecked = criteria.some(isCheck);
  const hasLeft = await keepOutset(context, state, isChecked ? commandsIn(criteria) : undefined);
  if (!isChecked) return;
  const checks = new CheckRun(context, 0);
  try {
    checks.start(criteria);
    const evaluations = yield* checks.finish();
    await ports.store.save({ ...outcomesOf(evaluations), checked_before: deedsOf(criteria) });
    if (criteria.every(isCheck) && evaluations.every(({ is_met }) => is_met)) await whenGreen(context, hasLeft);
  } finally {
    await checks.close();
  }
}

/**
 * Keeps what a proof compares with, in one go: the settings of models, to which a worker could lead judges and reviewers; and where there
 * are checks, the files and programs, before they run: what they leave behind was not there at the start. Returns whether an earlier
 * worker has left something that does not count as the start.
 */
export async function keepOutset(
  context: RunContext,
  state: RunState,
  checks: readonly string[] | undefined,
): Promise<boolean> {
  const { store, commands } = context.ports;
  const settings = store.task.model_settings ? undefined : { model_settings: await commands.modelSettings() };
  if (!checks) {
    if (settings) await store.save(settings);
    return false;
  }
  const start = await startOf(context, state);
  const scripts = await scriptsOfChecks(context, checks, start?.start);
  const { hasLeft, ...counting } = await withoutLeft(context, await commands.toolchain(scripts));
  await store.save({ ...settings, ...start, ...counting });
  return hasLeft || store.task.protected_start !== undefined;
}

/**
 * A check that the user has changed since, and has accepted, was not run before the first work. It runs now, on the files of the start
 * where a clean checkout of them can be had.
 */
async function* checkChanged(context: RunContext, { iterations }: RunState): AsyncGenerator<RunEvent, void> {
  const { ports, configuration } = context;
  const { before, tests_before, checked_before, start = null } = ports.store.task;
  const deeds = deedsOf(configuration.criteria);
  if (!checked_before) return;
  const isSame = ([id]: [string, unknown]) => checked_before[id] === deeds[id];
  const changed = Object.keys(deeds).filter((id) => checked_before[id] !== deeds[id]);
  if (changed.length === 0 && Object.entries(checked_before).every(isSame)) return;
  const evaluations = changed.length > 0 ? yield* runAtStart(context, { changed, start, iterations }) : [];
  const now = outcomesOf(evaluations);
  const kept = <V>(known: Record<string, V> = {}) => Object.fromEntries(Object.entries(known).filter(isSame));
  await ports.store.save({
    before: { ...kept(before), ...now.before },
    tests_before: { ...kept(tests_before), ...now.tests_before },
    checked_before: deeds,
  });
}

async function* runAtStart(
  context: RunContext,
  { changed, start, iterations }: { changed: readonly string[]; start: string | null; iterations: number },
): AsyncGenerator<RunEvent, Evaluation[]> {
  const isWorkedOn = iterations > 0 && start !== null;
  const room = isWorkedOn
    ? yield* roomOf(context, { needs_room: true }, { start, commit: start, iteration: 0 })
    : undefined;
  const place = room && !("weaker" in room) ? room : undefined;
  const checks = new CheckRun(context, 0, { place, only: changed.map(Number) });
  try {
    checks.start(context.configuration.criteria);
    return yield* checks.finish();
  } finally {
    await checks.close();
    await place?.release();
  }
}

function outcomesOf(evaluations: readonly Evaluation[]): Required<Pick<Task, "before" | "tests_before">> {
  const counts = evaluations.map(({ id, evidence }) => [String(id), testsReported(evidence)] as const);
  return {
    before: Object.fromEntries(evaluations.map(({ id, is_met }) => [String(id), is_met])),
    tests_before: Object.fromEntries(counts.filter((one): one is [string, number] => one[1] !== undefined)),
  };
}

function deedsOf(criteria: readonly Criterion[]): Record<string, string> {
  const checks = numbered(criteria).flatMap(({ id, criterion }) => (isCheck(criterion) ? [{ id, criterion }] : []));
  return Object.fromEntries(checks.map(({ id, criterion }) => [String(id), deedOf(criterion)]));
}

/** All checks pass already, so they cannot show that the task is done. `hasLeft`: perhaps because of what an earlier worker has left. */
async function whenGreen({ configuration, ports, has_model }: RunContext, hasLeft: boolean): Promise<void> {
  const { if_green } = configuration;
  if (if_green === "fail") throw new Halt({ stop_reason: "already_green" });
  if (!hasLeft && (if_green === "done" || (if_green === "auto" && !has_model)))
    throw new Halt({ stop_reason: "already_true" });
  if (has_model) await ports.store.save({ judges_text: true });
}
