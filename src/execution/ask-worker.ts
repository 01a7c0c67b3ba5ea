import { consequenceOf } from "../judgment/failures.ts";
import type { AgentReply, Assignment } from "../model/agent.ts";
import type { RunEvent } from "../model/events.ts";
import { notice } from "../model/notices.ts";
import { ask } from "./ask.ts";
import type { RunContext } from "./run-context.ts";

/** Has the executor work, and once more when its answer was garbled on the way. */
export async function* askWorker(context: RunContext, assignment: Assignment): AsyncGenerator<RunEvent, AgentReply> {
  const { executor } = context.ports.agents;
  const reply = yield* ask(context, executor, assignment);
  if (!reply.failure || consequenceOf[reply.failure.code] !== "again") return reply;
  yield { type: "notice", notice: notice("asked_again", { role: "executor", problem: reply.failure.message }) };
  return yield* ask(context, executor, assignment);
}
