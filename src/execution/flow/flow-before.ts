import { isCheck } from "../../model/criterion.ts";
import type { RunEvent } from "../../model/events.ts";
import type { RunState } from "../../model/state.ts";
import { CheckRun } from "../goal/checks.ts";
import { keepOutset } from "../proof/before.ts";
import { commandsIn } from "../proof/check-scripts.ts";
import { compareOnThisMachine } from "../proof/machine-tools.ts";
import type { RunContext } from "../run-context.ts";
import { evaluationOf } from "./completion-loop.ts";
import { commandOf, numberedConditions } from "./flow-claim.ts";
import { type FlowRun, judgedCriteria } from "./flow-run.ts";
import { runBefore } from "./validators.ts";

/**
 * Runs the commands of all conditions before the first work, and the checks of a `criteria` completion. Conditions that need a value
 * which a step hands on, that ask about the workspace or the tracker, or that a judge decides, are not known before.
 */
export async function* checkFlowBefore(
  context: RunContext,
  run: FlowRun,
  state: RunState,
): AsyncGenerator<RunEvent, void> {
  const { configuration, ports } = context;
  const conditions = numberedConditions(run, Object.keys(run.definition.registry.completionSteps));
  const movable = conditions.filter(({ condition }) => commandOf(run, condition).length > 0);
  const criteria = judgedCriteria(run);
  const commands = [...movable.flatMap(({ condition }) => commandOf(run, condition)), ...commandsIn(criteria)];
  const isKnown = state.iterations > 0 || ports.store.task.before !== undefined;
  if (configuration.proof === "none") return;
  await compareOnThisMachine(context, commands);
  if (isKnown) return;
  await keepOutset(context, state, commands.length === 0 ? undefined : commands);
  if (commands.length === 0) return;
  yield { type: "phase-start", phase: "check", iteration: 0 };
  const before: Record<string, boolean> = {};
  for (const { condition, id } of movable) {
    const outcome = yield* runBefore(context, run, condition);
    if (!outcome) continue;
    const evaluation = evaluationOf(outcome, id);
    before[evaluation.criterion] = evaluation.is_met && before[evaluation.criterion] !== false;
    yield { type: "check-end", iteration: 0, evaluation };
  }
  const checks = new CheckRun(context, 0);
  try {
    checks.start(criteria.filter(isCheck));
    for (const { criterion, is_met } of yield* checks.finish()) before[criterion] = is_met;
  } finally {
    await checks.close();
  }
  await ports.store.save({ before });
}
