import { askWorker } from "../ask.ts";
import type { Course } from "../course.ts";
import { assignExecutor } from "../prompt/executor-prompt.ts";
import { checkBefore } from "../proof/before.ts";
import { goalClaim } from "../proof/claim.ts";
import { prove } from "../proof/prove.ts";
import type { RunContext } from "../run-context.ts";
import { expectFirstWork, expectWhatFollows } from "./expectations.ts";
import { takeIn } from "./intake.ts";
import { concludeIteration } from "./judge.ts";
import { outlineReply, summarizeReply } from "./summarize.ts";
import { keepBaseline } from "./unchanged.ts";

/** A task and its criteria: one work step, judged after every iteration. */
export function goalCourse(context: RunContext): Course {
  return {
    prepare: async function* (state) {
      expectFirstWork(context, state);
      await keepBaseline(context, context.configuration.criteria);
      yield* takeIn(context);
      yield* checkBefore(context, state);
    },
    next: (iteration, state) => assignExecutor(context, iteration, state),
    isForAgent: () => true,
    work: (assignment) => {
      expectWhatFollows(context, assignment);
      return askWorker(context, assignment);
    },
    summarize: ({ iteration, reply }, checks) => summarizeReply(context, { iteration, reply, checks }),
    outline: ({ iteration, reply }) => outlineReply(context, iteration, reply),
    conclude: async function* (summary, state, checks) {
      return { judgment: yield* concludeIteration(context, { summary, state, checks }) };
    },
    isProvable: () => true,
    prove: async function* (state) {
      return { proof: yield* prove(context, goalClaim(context, state), state) };
    },
    effects: async () => [], // when its criteria hold, a task is done
  };
}
