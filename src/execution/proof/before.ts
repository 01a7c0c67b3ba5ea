import { testsReported } from "../../judgment/proof/test-count.ts";
import { isCheck } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import type { RunEvent } from "../../model/events.ts";
import type { RunState } from "../../model/state.ts";
import { startOf } from "../changes.ts";
import { CheckRun } from "../goal/checks.ts";
import { Halt } from "../halt.ts";
import type { RunContext } from "../run-context.ts";
import { commandsIn, scriptsOfChecks } from "./check-scripts.ts";
import { withoutLeft } from "./left-behind.ts";
import { compareOnThisMachine } from "./machine-tools.ts";

/** Runs the checks before the first work: a check that was red then and is green later is evidence. */
export async function* checkBefore(context: RunContext, state: RunState): AsyncGenerator<RunEvent, void> {
  const { configuration, ports } = context;
  const { criteria, proof } = configuration;
  if (proof === "none") return;
  await compareOnThisMachine(context, commandsIn(criteria));
  if (state.iterations > 0 || ports.store.task.before) return;
  const isChecked = criteria.some(isCheck);
  const hasLeft = await keepOutset(context, state, isChecked ? commandsIn(criteria) : undefined);
  if (!isChecked) return;
  const checks = new CheckRun(context, 0);
  try {
    checks.start(criteria);
    const evaluations = yield* checks.finish();
    const before = Object.fromEntries(evaluations.map(({ id, is_met }) => [String(id), is_met]));
    await ports.store.save({ before, tests_before: testsBefore(evaluations) });
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

function testsBefore(evaluations: readonly Evaluation[]): Record<string, number> {
  const counts = evaluations.map(({ id, evidence }) => [String(id), testsReported(evidence)] as const);
  return Object.fromEntries(counts.filter((one): one is [string, number] => one[1] !== undefined));
}

/** All checks pass already, so they cannot show that the task is done. `hasLeft`: perhaps because of what an earlier worker has left. */
async function whenGreen({ configuration, ports, has_model }: RunContext, hasLeft: boolean): Promise<void> {
  const { if_green } = configuration;
  if (if_green === "fail") throw new Halt({ stop_reason: "already_green" });
  if (!hasLeft && (if_green === "done" || (if_green === "auto" && !has_model)))
    throw new Halt({ stop_reason: "already_true" });
  if (has_model) await ports.store.save({ judges_text: true });
}
