import { expect, test } from "vitest";
import type { CompletionConfig } from "../../../src/model/flow/agent-file.ts";
import type { TrackedItem } from "../../../src/model/issue.ts";
import { type FlowOptions, gated, MemoryTracker, runFlow, says } from "../../support/run-flow.ts";
import { readable } from "../../support/saying.ts";

const options: FlowOptions = {
  steps: {
    "initial.task": gated("work", { handoff: "closure.task" }),
    "closure.task": gated("closure", { closing: null, repeat: "initial.task" }),
  },
  script: { executor: ({ step_id }) => says(step_id === "closure.task" ? "closing" : "handoff") },
  github: { enabled: true },
};

/** Issue 7, and another item that nobody here closes. */
class TwoItems extends MemoryTracker {
  readonly other: TrackedItem;

  constructor(other: Partial<TrackedItem>) {
    super();
    this.other = { ...this.item, number: 8, ...other };
  }

  override async get(kind: TrackedItem["kind"], number: number): Promise<TrackedItem> {
    const found = number === this.item.number ? this.item : this.other;
    if (found.kind !== kind) throw new Error(`#${number} is no ${kind}`);
    return { ...found };
  }
}

function waitingFor(config: CompletionConfig, tracker: MemoryTracker, parameters: Record<string, unknown>) {
  const condition = { type: "externalState", config } as const;
  const conditions = [{ type: "stepMachine", config: {} } as const, condition];
  const run = (completion: FlowOptions["completion"] & object) =>
    runFlow({ ...options, tracker, completion, parameters, settings: { max_iterations: 4 } });
  return { alone: () => run(condition), nested: () => run({ type: "composite", config: { conditions } }) };
}

test.each([
  ["is not closed because the hook will close another one", "OPEN", "max_iterations", []],
  ["counts once somebody has closed it, and the hook closes its own", "CLOSED", "completed", ["close issue 7"]],
])("an issue that completion waits for %s", async (_name, state, status, diary) => {
  const tracker = new TwoItems({ state });
  const awaited: CompletionConfig = { resourceType: "issue", resourceParam: "tracking" };
  const { result } = await waitingFor(awaited, tracker, { issue: 7, tracking: 8 }).nested();

  expect(result.status).toBe(status);
  expect(tracker.diary).toEqual(diary);
});

test("a pull request that completion waits for is not taken for the issue to close", async () => {
  const tracker = new TwoItems({ kind: "pr", state: "MERGED" });
  const { result } = await waitingFor({ resourceType: "pr", resourceParam: "pr" }, tracker, {
    issue: 7,
    pr: 8,
  }).alone();

  expect(result.status).toBe("completed");
  expect(tracker.diary).toEqual(["close issue 7"]);
});

test("where completion waits for a file that a parameter names, the issue is still closed", async () => {
  const tracker = new MemoryTracker();
  const parameters = { issue: 7, report: "done.txt" };
  const { result } = await waitingFor({ resourceType: "file", resourceParam: "report" }, tracker, parameters).alone();

  expect(result.status).toBe("completed");
  expect(tracker.diary).toEqual(["close issue 7"]);
});

test.each([["#7"], ["https://github.com/o/r/issues/7"], [7.5], [-7], [0], [true]])(
  "%j is not the number of an issue: refused before anything is spent",
  async (issue) => {
    const tracker = new MemoryTracker();
    const hooked = await runFlow({ ...options, tracker, parameters: { issue } });
    const awaited = await waitingFor({ resourceType: "issue" }, tracker, { issue }).alone();

    for (const { result, agent } of [hooked, awaited]) {
      expect(result).toMatchObject({ status: "error", error_code: "parameter_invalid", iterations_used: 0 });
      expect(readable(result).error_message).toContain(JSON.stringify(issue));
      expect(agent.assignments).toEqual([]);
    }
    expect(tracker.diary).toEqual([]);
  },
);
