import { through } from "../../model/event-stream.ts";
import type { RunEvent } from "../../model/events.ts";
import type { FlowPosition } from "../../model/flow/position.ts";
import { isDeadEnd } from "../../model/flow/steps-registry.ts";
import type { LoopResult } from "../../model/records.ts";
import type { Course } from "../course.ts";
import { keepBaseline } from "../goal/unchanged.ts";
import type { RunContext } from "../run-context.ts";
import { boundaryEffects, lookAhead } from "./boundary.ts";
import { concludeStep } from "./conclude-step.ts";
import { checkFlowBefore } from "./flow-before.ts";
import { provable } from "./flow-claim.ts";
import { allConditions, announced, type FlowRun, judgedCriteria, positionOf, stepOf, takenBy } from "./flow-run.ts";
import { loadModules, remembering } from "./modules.ts";
import { proveFlow } from "./prove-flow.ts";
import { assignStep } from "./step-prompt.ts";
import { outlineStep, summarizeStep } from "./step-summary.ts";
import { workOnStep } from "./step-work.ts";

/** A flow: one step an iteration. Only the closing signal leads to the completion loop. */
export function flowCourse(context: RunContext, begun: FlowRun): Course {
  const run = { ...begun, loadModule: remembering(begun.loadModule) };
  return {
    prepare: async function* (state) {
      yield* announced(allConditions(run));
      await loadModules(context, run);
      await lookAhead(context, run, state);
      await keepBaseline(context, judgedCriteria(run));
      yield* checkFlowBefore(context, run, state);
    },
    next: async function* (iteration, state) {
      yield stepStart(context, run, iteration, positionOf(run, state));
      return await assignStep(context, run, { iteration, state });
    },
    isForAgent: (iteration, state) => !stepOf(run, positionOf(run, state).next_step, iteration).runner,
    work: (assignment) => workOnStep(context, run, assignment),
    summarize: async function* (work) {
      return await summarizeStep(context, run, work);
    },
    outline: async (work) => ({ summary: outlineStep(context, run, work), knowledge: [] }),
    conclude: (summary, state) => concludeStep(context, run, { summary, state }),
    isProvable: (state) => provable(run, state) !== undefined,
    prove: (state) => proveFlow(context, run, state),
    effects: async (state) => boundaryEffects(context, run, state),
  };
}

function stepStart(
  { configuration }: RunContext,
  run: FlowRun,
  iteration: number,
  { next_step, ...position }: FlowPosition,
): RunEvent {
  const step = stepOf(run, next_step, iteration);
  const { stepId: step_id, name, stepKind: kind } = step;
  const { entryStep, registry } = run.definition;
  const ids = [
    entryStep,
    ...Object.keys(registry.steps).filter((id) => id !== entryStep && !isDeadEnd(registry.steps, id)),
  ];
  const place = { number: ids.indexOf(step_id) + 1, of: ids.length };
  const is_retry = position.retry_prompt !== null || position.last_failure !== null;
  return { type: "step-start", iteration, step_id, name, kind, ...takenBy(step, configuration), ...place, is_retry };
}

/** Adds the flow's own states to its run: created, started, running, stopped, in this order whatever happens. */
export async function* withAgentStates(
  events: AsyncGenerator<RunEvent, LoopResult>,
): AsyncGenerator<RunEvent, LoopResult> {
  yield { type: "agent-state", state: "created" };
  yield { type: "agent-state", state: "started" };
  let isRunning = false;
  return yield* through(events, function* (event): Generator<RunEvent> {
    if (!isRunning && (event.type === "iteration-start" || event.type === "phase-start")) {
      isRunning = true;
      yield { type: "agent-state", state: "running" };
    }
    if (event.type === "run-end") yield { type: "agent-state", state: "stopped" };
    yield event;
  });
}
