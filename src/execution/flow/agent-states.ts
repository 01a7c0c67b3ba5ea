import { through } from "../../model/event-stream.ts";
import type { RunEvent } from "../../model/events.ts";
import type { LoopResult } from "../../model/records.ts";

/** Adds the agent's own states to its run: one way, whatever happens in between. */
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
