import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { fold } from "../../../src/execution/state.ts";
import { NOTHING_DONE } from "../../../src/model/state.ts";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import type { GoalRun } from "../../support/run-goal.ts";

const options: FlowOptions = {
  steps: {
    "initial.task": gated("work", { handoff: "closure.task" }),
    "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
  },
  script: { executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff") },
  github: { enabled: true, defaultClosureAction: "label-and-close", labels: { add: ["done"], remove: [] } },
  parameters: { issue: 7 },
};

/** Does what it is asked, or not, and then gives no answer until the run is cancelled, which it is at once. */
class SilentTracker extends MemoryTracker {
  readonly cancel = new AbortController();
  readonly #silentAt: "get" | "close";
  readonly #obeys: boolean;

  constructor(silentAt: "get" | "close", obeys = true) {
    super();
    this.#silentAt = silentAt;
    this.#obeys = obeys;
  }

  override async get(...asked: Parameters<MemoryTracker["get"]>) {
    if (this.#silentAt === "get") await this.#silence(asked[2]);
    return super.get(...asked);
  }

  override async close(...asked: Parameters<MemoryTracker["close"]>) {
    if (this.#obeys) await super.close(...asked);
    await this.#silence(asked[2]);
  }

  async #silence(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    setTimeout(() => this.cancel.abort(), 5);
    await once(signal, "abort");
    throw new Error("cancelled");
  }
}

function goOn({ records, files }: GoalRun, tracker: MemoryTracker) {
  return runFlow({ ...options, tracker, after: { records, task: files.task } });
}

/** How far the labels and the closing have come. */
function stages({ records }: GoalRun): string[] {
  return Object.values(records.reduce(fold, NOTHING_DONE).effects);
}

describe("cancelled while the tracker is silent", () => {
  test("before anything is asked, the run ends as cancelled", async () => {
    const tracker = new SilentTracker("get");
    const run = await runFlow({ ...options, tracker, cancel: tracker.cancel });

    expect(run.result).toMatchObject({ status: "cancelled", iterations_used: 0, error_code: null });
    expect(run.agent.assignments).toEqual([]);
  });

  test.each([
    { what: "has closed the issue", obeys: true, left: [] },
    { what: "has not closed the issue", obeys: false, left: ["close issue 7"] },
  ])("and $what, closing it stays recorded as begun, and resuming does what is left", async ({ obeys, left }) => {
    const silent = new SilentTracker("close", obeys);
    const run = await runFlow({ ...options, tracker: silent, cancel: silent.cancel });
    const tracker = new MemoryTracker();
    Object.assign(tracker.item, silent.item);
    const resumed = await goOn(run, tracker);

    expect(run.result).toMatchObject({ status: "cancelled", iterations_used: 2, error_code: null });
    expect(stages(run)).toEqual(["done", "begun"]);
    expect(resumed.agent.assignments).toEqual([]);
    expect(resumed.result).toMatchObject({ status: "completed", iterations_used: 2 });
    expect(stages(resumed)).toEqual(["done", "done"]);
    expect(tracker.diary).toEqual(left);
    expect(tracker.item).toMatchObject({ state: "CLOSED" });
  });
});

test("cancelled after the verdict, the hook is not begun, and is all that is left to do", async () => {
  const cancel = new AbortController();
  const run = await runFlow({
    ...options,
    cancel,
    onEvent: (event) => {
      if (event.type === "judgment" && event.judgment.is_complete) cancel.abort();
    },
  });
  const resumed = await goOn(run, new MemoryTracker());

  expect(run.result.status).toBe("cancelled");
  expect(stages(run)).toEqual([]);
  expect(run.tracker.diary).toEqual([]);
  expect(resumed.agent.assignments).toEqual([]);
  expect(resumed.tracker.diary).toEqual(["label 7 +done -", "close issue 7"]);
});
