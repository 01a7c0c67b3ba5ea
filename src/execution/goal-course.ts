import { askWorker } from "./ask-worker.ts";
import { abandonChecks, beginChecks, type Checks } from "./checks.ts";
import type { Course } from "./course.ts";
import { assignExecutor } from "./executor-prompt.ts";
import { expectFirstWork, expectWhatFollows } from "./expectations.ts";
import { goalOf } from "./goal.ts";
import { takeIn } from "./intake.ts";
import { concludeIteration } from "./judge.ts";
import type { RunContext } from "./run-context.ts";
import { saveReply, summarizeReply } from "./summarize.ts";
import { keepBaseline } from "./unchanged.ts";

/**
 * A task and its criteria: one work step, judged after every iteration. Its checks run while the summarizer thinks: neither needs
 * the other.
 */
export function goalCourse(context: RunContext): Course {
  let checks: Checks | undefined;
  return {
    prepare: async function* () {
      expectFirstWork(context);
      await keepBaseline(context, context.configuration.criteria);
      yield* takeIn(context);
    },
    work: (assignment) => {
      expectWhatFollows(context, assignment.iteration);
      return askWorker(context, assignment);
    },
    next: (iteration, state) => assignExecutor(context, iteration, state),
    summarize: async function* (iteration, { reply }) {
      const saved = await saveReply(context, reply);
      checks = beginChecks(context, goalOf(context.ports.files.task).criteria, iteration);
      return yield* summarizeReply(context, iteration, { ...saved, checks });
    },
    conclude: (summary) => {
      const begun = checks;
      checks = undefined;
      return concludeIteration(context, summary, begun);
    },
    effects: async () => [],
    close: async () => {
      if (checks) await abandonChecks(context, checks);
    },
  };
}
