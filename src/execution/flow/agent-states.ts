import type { RunEvent } from "../../model/events.ts";
import type { LoopResult } from "../../model/records.ts";

/** Adds the agent's own states to its run: one way, whatever happens in between. */
export async function* withAgentStates(
  events: AsyncGenerator<RunEvent, LoopResult>,
): AsyncGenerator<RunEvent, LoopResult> {
  yield { type: "agent-state", state: "created" };
  yield { type: "agent-state", state: "started" };
  let isRunning = false;
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      if (!isRunning && (step.value.type === "iteration-start" || step.value.type === "phase-start")) {
        isRunning = true;
        yield { type: "agent-state", state: "running" };
      }
      if (step.value.type === "run-end") yield { type: "agent-state", state: "stopped" };
      yield step.value;
    }
  } finally {
    await events.return(undefined as never);
  }
}
