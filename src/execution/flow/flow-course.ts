import type { Course } from "../course.ts";
import type { RunContext } from "../run-context.ts";
import { boundaryHook } from "./boundary.ts";
import { concludeStep } from "./conclude-step.ts";
import { type FlowRun, positionOf, stepOf } from "./flow-run.ts";
import { assignStep } from "./step-prompt.ts";
import { summarizeStep } from "./step-summary.ts";
import { workOnStep } from "./step-work.ts";

/** An agent made of steps: one step an iteration; the closing signal leads to the completion loop, and nothing else does. */
export function flowCourse(context: RunContext, run: FlowRun): Course {
  return {
    prepare: async function* () {}, // a definition is complete before it runs
    next: async function* (iteration, state) {
      const { stepId: step_id, name, stepKind: kind } = stepOf(run, positionOf(run, state).next_step, iteration);
      yield { type: "step-start", iteration, step_id, name, kind };
      return await assignStep(context, run, { iteration, state });
    },
    work: (assignment) => workOnStep(context, run, assignment),
    summarize: async function* (iteration, { reply, assignment }) {
      const step = stepOf(run, assignment.step_id ?? null, iteration);
      return { summary: await summarizeStep(context, step, { iteration, reply }) };
    },
    conclude: (summary, state) => concludeStep(context, run, { summary, state }),
    finish: (state) => boundaryHook(context, run, state),
  };
}
