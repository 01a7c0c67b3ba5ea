import type { Expectation } from "../../connection/ports/agent.ts";
import type { Assignment } from "../../model/agent.ts";
import type { RunState } from "../../model/state.ts";
import { expectationOf } from "../answer.ts";
import { affordable } from "../ask.ts";
import { executorExpectation } from "../prompt/executor-prompt.ts";
import type { RunContext } from "../run-context.ts";
import { standIn } from "../stand-in.ts";
import { workerNow } from "../turns.ts";
import { hasSummarizer, summarizerRequest } from "./ask-summarizer.ts";
import { goalOf, semanticCount } from "./goal.ts";
import { intakeRequest, needsIntake } from "./intake.ts";
import { judgeRequest } from "./judge.ts";

/**
 * The first worker can get ready during the intake, and while the files are kept and the checks run for the first time. All roles are
 * announced now, because one process may serve them and must know them before it starts.
 */
export function expectFirstWork(context: RunContext, state: RunState): void {
  const isTakenIn = !needsIntake(context);
  if (isTakenIn && state.iterations > 0) return;
  if (!isTakenIn) {
    context.ports.agents.roles.prepare?.(expectationOf(intakeRequest(context)));
    expectJudgment(context);
  }
  expectWork(context, workerNow(context, state));
}

/** While a worker works, the roles that look at its work and the next worker can get ready, in this order. */
export function expectWhatFollows(context: RunContext, { iteration, worker }: Assignment): void {
  expectJudgment(context);
  if (iteration < context.configuration.max_iterations) expectWork(context, worker ? { worker } : {});
}

function expectWork(context: RunContext, worker: Pick<Assignment, "worker">): void {
  const expected = { ...executorExpectation(context), ...worker };
  context.ports.agents.executor.prepare?.(affordable(context, expected));
}

function expectJudgment(context: RunContext): void {
  const { agents, store } = context.ports;
  const expect = (expected: Expectation) => agents.roles.prepare?.({ ...expected, ...standIn(context, expected) });
  if (hasSummarizer(context)) expect(expectationOf(summarizerRequest(context)));
  if (semanticCount(goalOf(store.task).criteria) > 0) expect(expectationOf(judgeRequest(context)));
}
