import { askWorker } from "./ask-worker.ts";
import type { Course } from "./course.ts";
import { assignExecutor } from "./executor-prompt.ts";
import { expectFirstWork, expectWhatFollows } from "./expectations.ts";
import { takeIn } from "./intake.ts";
import { concludeIteration } from "./judge.ts";
import type { RunContext } from "./run-context.ts";
import { summarizeReply } from "./summarize.ts";

/** A task and its criteria: one work step, judged after every iteration. */
export function goalCourse(context: RunContext): Course {
  return {
    prepare: () => {
      expectFirstWork(context);
      return takeIn(context);
    },
    work: (assignment) => {
      expectWhatFollows(context, assignment.iteration);
      return askWorker(context, assignment);
    },
    next: (iteration, state) => assignExecutor(context, iteration, state),
    summarize: (iteration, { reply }) => summarizeReply(context, iteration, reply),
    conclude: (summary) => concludeIteration(context, summary),
    finish: async function* () {}, // when its criteria hold, a task is done
  };
}
